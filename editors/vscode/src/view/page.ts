/** The page of the Agent view: its frame, filled by the script. Nothing in it comes from outside. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** The page for a webview. Only our script and style are loaded, and nothing from the network. */
export function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", name)).toString();
  const nonce = randomBytes(18).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file("webview.css")}">
<title>Agent</title>
</head>
<body>
${FRAME}
<script nonce="${nonce}" src="${file("webview.js")}"></script>
</body>
</html>`;
}

const FRAME = `
<header id="header">
  <button id="switcher" type="button" aria-haspopup="dialog" aria-expanded="false" aria-controls="sessions">
    <span id="switcher-state"></span>
    <span class="unseen">Session: </span>
    <span id="switcher-title">No session</span>
    <span id="switcher-agent"></span>
    <span id="switcher-doing"></span>
    <span id="switcher-others" title="Other sessions that wait for you" hidden></span>
    <span class="codicon codicon-chevron-down" aria-hidden="true"></span>
  </button>
  <div id="sessions" role="dialog" aria-label="Sessions" hidden>
    <div id="session-list" role="grid" aria-label="Sessions"></div>
    <div id="no-sessions" class="menu-note" hidden>No sessions yet.</div>
    <div id="listing" class="menu-note" role="status" hidden>Asking agents for their sessions...</div>
    <div class="menu-actions">
      <button id="new-in-list" type="button" class="text-button">
        <span class="codicon codicon-add" aria-hidden="true"></span><span>New session</span>
      </button>
      <button id="more-sessions" type="button" class="text-button" hidden>More...</button>
    </div>
  </div>
</header>
<main id="main">
  <div id="transcript" role="log" aria-live="off" aria-label="Transcript" tabindex="0"></div>
  <div id="welcome" hidden></div>
  <button id="jump" type="button" hidden>
    <span class="codicon codicon-arrow-down" aria-hidden="true"></span><span>Jump to latest</span>
  </button>
</main>
<div id="footer">
  <section id="plans" aria-label="Plan" hidden></section>
  <section id="permissions" aria-label="Permissions" hidden></section>
  <div id="queue" role="list" aria-label="Prompts that wait" hidden></div>
  <div id="box">
    <div id="completions" role="listbox" aria-label="Completions" hidden></div>
    <div id="chips" role="list" aria-label="Context of the prompt" hidden></div>
    <textarea id="prompt" rows="2" aria-label="Prompt" aria-describedby="hint" aria-autocomplete="list"
      aria-haspopup="listbox" aria-controls="completions" spellcheck="false"></textarea>
    <div id="hint" hidden></div>
    <div id="bar">
      <div id="options" role="group" aria-label="Options of the session" hidden></div>
      <span class="spring"></span>
      <span id="usage" hidden></span>
      <button id="cancel" type="button" class="icon-button" aria-label="Cancel turn" title="Cancel turn" hidden>
        <span class="codicon codicon-debug-stop" aria-hidden="true"></span>
      </button>
      <button id="send" type="button" class="icon-button" aria-label="Send" title="Send (Enter)" disabled>
        <span class="codicon codicon-send" aria-hidden="true"></span>
      </button>
    </div>
  </div>
</div>
<div id="status" class="unseen" role="status" aria-live="polite"></div>
`;
