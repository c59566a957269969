import { meeting } from "./port.js";

// The scripts of the picker would delay the answer to the page. They report a refusal.
await meeting?.catch(() => {});
document.head.append(document.getElementById("scripts").content);
