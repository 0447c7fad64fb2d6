import { begin } from "./shell/shell.js";

begin();
