// Keeps menus up to date with the live stream: node follow.mjs BASE APP/VERSION…

const [base, ...names] = process.argv.slice(2);
const held = names.map((name) => { const [app, version] = name.split("/"); return { name, app, version }; });
const apps = [...new Set(held.map(({ app }) => app))];
const menus = new Map(); // by "APP/VERSION": { tag, menu }
let last = null, retry = 3000, failures = 0;

/** The request failed and can be repeated. `after`: the Retry-After in milliseconds, if the service sent one. */
class Later extends Error {
  constructor(reason, after) {
    super(reason);
    this.after = after;
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The answer, which may be 304 or 404. */
async function ask(path, fields, signal) {
  const answer = await fetch(base + path, { headers: fields, signal });
  if (answer.ok || answer.status === 304 || answer.status === 404) return answer;
  await answer.body?.cancel();
  const after = answer.headers.get("Retry-After") ?? "";
  throw new Later(`${answer.status} ${answer.statusText}`, /^\d+$/.test(after) ? Number(after) * 1000 : undefined);
}

function partsOf(version) {
  const parts = version.split(".").map(Number);
  return [0, 1, 2].map((index) => parts[index] ?? 0);
}

function isBelow(left, right) {
  const [a, b] = [partsOf(left), partsOf(right)];
  const index = a.findIndex((part, place) => part !== b[place]);
  return index >= 0 && a[index] < b[index];
}

/** Reads one stream to its end. */
async function follow() {
  const silence = new AbortController();
  let timer;
  // A comment comes every 20 seconds: after 60 seconds of silence the connection is lost.
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error("nothing was heard for 60 s")), 60_000);
  };
  try {
    heard();
    const query = apps.map((app) => `app=${app}`).join("&");
    const answer = await ask(`/v1/stream?${query}`, { Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) }, silence.signal);
    if (!answer.ok) throw new Later("none of the apps exists");
    let text = "", name = "message", data = [], id = null;
    const decoder = new TextDecoder();
    for await (const bytes of answer.body) {
      heard();
      text += decoder.decode(bytes, { stream: true });
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) {
        const [field] = line.split(":", 1);
        const value = line.slice(field.length + 1).replace(/^ /, "");
        if (field === "event") name = value;
        else if (field === "data") data.push(value);
        else if (field === "id") id = value;
        else if (field === "retry" && /^\d+$/.test(value)) retry = Number(value);
        else if (line === "") {
          if (data.length > 0) {
            await hear(name, JSON.parse(data.join("\n")));
            // Stored after the fetches: the service repeats an event whose fetches failed.
            [last, failures] = [id, 0];
          }
          [name, data] = ["message", []];
        }
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

async function hear(name, data) {
  if (name === "state") {
    console.log(data.resync ? "state, resync" : "state");
    for (const [app, state] of Object.entries(data.apps)) {
      if (state === null) forget(app, "is missing");
      else await fetchMenus(app, state.revision);
    }
  } else if (name === "deleted") {
    forget(data.app, "deleted");
  } else if (name === "changed") {
    console.log(`${data.app} changed, revision ${data.revision}`);
    // This program keeps menus of the default audience only.
    if ((data.audience ?? "default") === "default") await fetchMenus(data.app, data.revision, data.from, data.until);
  }
}

function forget(app, why) {
  console.log(`${app} ${why}`);
  for (const menu of held) if (menu.app === app) menus.delete(menu.name);
}

/** Fetches the app's menus again for the versions from `from` up to, not including, `until`. */
async function fetchMenus(app, revision, from, until) {
  for (const menu of held) {
    if (menu.app !== app || (from && isBelow(menu.version, from)) || (until && !isBelow(menu.version, until))) continue;
    const tag = menus.get(menu.name)?.tag;
    const path = `/v1/apps/${app}/versions/${menu.version}/shortcuts?revision=${revision}`;
    const answer = await ask(path, tag ? { "If-None-Match": tag } : {}, AbortSignal.timeout(15_000));
    if (answer.ok) {
      menus.set(menu.name, { tag: answer.headers.get("ETag"), menu: await answer.json() });
      console.log(`${menu.name} revision ${menus.get(menu.name).menu.revision}`);
    } else {
      await answer.body?.cancel();
      console.log(`${menu.name} ${answer.status === 304 ? "unchanged" : "has no menu"}`);
    }
  }
}

for (;;) {
  let wait = retry;
  try {
    await follow();
    wait = retry;
  } catch (error) {
    // Random unless the server says when, so that clients do not reconnect together.
    wait = error.after || Math.min(60_000, retry * 2 ** failures) * (0.5 + Math.random() / 2);
    failures = Math.min(failures + 1, 10);
    console.log(`waiting ${(wait / 1000).toFixed(1)} s: ${error.cause?.message ?? error.message}`);
  }
  await pause(wait);
}
