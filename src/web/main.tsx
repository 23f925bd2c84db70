import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/agent-colors.css";
import "./styles/base.css";
import { App } from "./app.js";
import { followTheme } from "./shell/theme.js";

followTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
