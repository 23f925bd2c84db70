// Leads whoever connects to one place of this machine to another: each a port of its loopback, or a socket in the file system.
import { connect, createServer } from "node:net";

const [from = "", to = ""] = process.argv.slice(2);

/** @param {string} text */
const place = (text) => (/^\d+$/.test(text) ? { host: "127.0.0.1", port: Number(text) } : { path: text });

createServer((socket) => {
  const there = connect(place(to));
  socket.pipe(there).pipe(socket);
  const cut = () => {
    socket.destroy();
    there.destroy();
  };
  for (const end of [socket, there]) end.on("error", cut).on("close", cut);
}).listen(place(from), () => console.log("ready"));
