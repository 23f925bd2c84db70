// Leads whoever connects to a socket in the file system to a port of this machine's loopback.
import { connect, createServer } from "node:net";

const [path = "", port = ""] = process.argv.slice(2);

createServer((socket) => {
  const there = connect(Number(port), "127.0.0.1");
  socket.pipe(there).pipe(socket);
  const cut = () => {
    socket.destroy();
    there.destroy();
  };
  for (const end of [socket, there]) end.on("error", cut).on("close", cut);
}).listen(path, () => console.log("ready"));
