/** Every text of the console. A translation is another file like this one. */

const amount = (number) => number.toLocaleString("en");
const many = (count, one, other) => `${amount(count)} ${count === 1 ? one : other}`;
/** Isolates a name, so that a name of another direction does not reorder the sentence. */
const named = (name) => `\u2068${name}\u2069`;
const quoted = (title) => `“${named(title)}”`;
const listed = (names) => new Intl.ListFormat("en").format(names.map(named));
const opens = (url) => (url ? `opens ${url}` : "opens the app");
/** The name of an audience. The API names the audience of everyone `default`. */
const people = (audience) => (audience === "default" ? "Everyone" : audience);
const askForPlist = "Ask a developer for the one in the built app, Name.app.";
const builtApp = `This is not the Info.plist of a built app. ${askForPlist}`;
const otherNumber = "This number is too small or too large. Enter another one.";
const notALanguage = "is not a language tag. Examples are ko, pt-BR and zh-Hant.";
const kinds = {
  publish: "Publish", restore: "Restore", delete: "Delete", share: "Step", promote: "Promotion", stop: "Stop",
};
const percent = (share) => `${amount(Number(share))} %`;
const ratio = (number) => Number(number).toLocaleString("en", { maximumSignificantDigits: 2 });
const causes = {
  saved: "saved this draft", published: "published this menu", deleted: "deleted this draft",
  scheduled: "scheduled this draft",
  removed: "deleted this menu",
};
const article = (word) => (/^[aeio]/.test(word) ? "an" : "a");
const roleNames = { reader: "readers", editor: "editors", publisher: "publishers", owner: "owners" };

export const strings = {
  common: {
    add: "Add", cancel: "Cancel", dayAt: (day, time, isNear) => `${isNear ? "" : "on "}${day} at ${time}`,
    close: "Close", save: "Save", copied: "Copied.", copy: "Copy", dismiss: "Dismiss", done: "Done",
    justNow: "just now", more: "Show more", none: "none",
    secret: "Secret", underWay: "The last change is not saved yet.",
    added: (count, all) => `${count} more, ${all} in total.`, audience: people,
  },
  times: {
    at: (time) => `at ${time}`, range: (from, until) => `${from} to ${until}`,
    hours: (day, from, until) => `${day}, ${from} to ${until}`,
    // Words that a typed time may have.
    today: "today", tomorrow: "tomorrow", dayAfterTomorrow: "day after tomorrow", next: "next",
    units: { min: 60_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 },
    days: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
    months: [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ],
  },
  errors: {
    missing: "This field is required.", again: "Try again", toApps: "All apps",
    away:
      "The service cannot be reached. This page may be out of date. "
        + "Your edits are saved as soon as the service is back.",
    back: "The service is back.",
    noSuchPlace: "Page not found",
    noSuchPlaceHint: "No page of the console has this address. Use the links above.",
    notLongpress: "The answer did not come from Longpress. Check the proxy between this browser and the service.",
    status: "The service or a proxy in front of it failed. Try again in a moment.",
    unreachable: "The service cannot be reached. Nothing was changed. Try again later.",
  },
  problems: {
    other: (request) =>
      "Something went wrong. Reload the page and try again."
        + (request ? ` If it happens again, report this request id: ${request}` : ""),
    about: (title, place, sentence) => `${title ? quoted(title) : `Item ${place}`}: ${sentence}`,
    codes: {
      unauthenticated: "This token is not valid. Check it, or ask an owner for a new one.",
      forbidden: "You are not allowed to do this. Ask an owner.",
      "cross-site": "The browser did not allow this request. Open the console at the service's own address.",
      "misdirected-request":
        "Open the console at the service's own address, or ask your administrator to allow this one.",
      "unknown-app": "This app does not exist. Someone may have deleted it.",
      "unknown-resource": "This page or entry does not exist. Someone may have deleted it.",
      "id-reused": "Some ids conflict with another menu of this app:",
      "candidate-running": "A roll-out is running. Promote or stop it first.",
      conflict: "The current state does not allow this. Reload the page and check it.",
      "approval-missing": "Approvals are missing. Ask a publisher who did not edit the draft to approve it.",
      "precondition-failed": "Someone else changed this, so nothing was saved. Reload the page to see the change.",
      "content-too-large": "This is too large. Shorten it and try again.",
      "invalid-document": "Correct the errors and try again.",
      "quota-exceeded":
        "This app has reached a limit. Delete old menus, drafts or releases, or ask your administrator to raise it.",
      "too-many-requests": "Too many requests. Wait a minute and try again.",
      overloaded: "The service is busy. Try again in a few seconds.",
      "storage-unavailable":
        "The service can't save now. Apps still get their menus. Try again in a few seconds.",
    },
    findings: {
      required: "This field is required.",
      "title-missing": ({ language }) =>
        (language ? `Add a title in ${language}.` : "Some items have no title in this language. Add the titles first."),
      "title-empty": "Enter a title.",
      "title-too-long": "Shorten the title to 100 characters, or fewer with emoji.",
      "subtitle-too-long": "Shorten the subtitle to 200 characters, or fewer with emoji.",
      "text-invalid": "Shorten this text, or remove line breaks and invisible characters.",
      "type-invalid": "Enter a type of up to 255 characters on one line.",
      "type-mismatch": "This value has the wrong kind. Choose another kind.",
      "too-many-items": ({ member }) => {
        const most = { items: "20 items", replaces: "20 ids", retired: "100 ids", personal: "20 sample values" };
        return `Use at most ${most[member] ?? "64 languages"}.`;
      },
      "icon-invalid": "Choose a square PNG of at most 1,024 pixels.",
      "too-many-violations": "There are more errors. Correct these first.",
      "id-invalid": "Use letters, digits, dots, hyphens and underscores. Begin with a letter or digit.",
      "id-reused": ({ isItem, name }) => (
        isItem
          ? `${quoted(name)} is a removed item of an earlier menu. Use another id.`
          : `A later menu still has ${quoted(name)}. Clear its rule here, or remove the item there.`
      ),
      "duplicate-id": ({ name }) => `${quoted(name)} is used twice. Remove one of them.`,
      "duplicate-language": "This language is used twice. Remove one of them.",
      "language-invalid": `This ${notALanguage}`,
      "replaces-conflict": ({ name }) => `A tap on ${quoted(name)} has two rules. Remove one.`,
      "url-invalid": ({ isItem, member }) =>
        `Enter a complete URL, such as https://example.com${
          isItem || member === "fallbackURL" ? " or mail://compose" : "/hook"}.`,
      "url-scheme": ({ isItem, member }) =>
        (isItem || member === "fallbackURL" ? "Use https or a URL scheme of the app." : "Use https."),
      "url-too-long": "Shorten the URL to 2,048 characters.",
      "address-blocked":
        "Webhooks can't use this address. Use a public address, or ask your administrator to allow this one.",
      "header-value-invalid": "Use only plain letters, digits and punctuation.",
      "header-value-missing": "Enter this value again, because the URL has another host.",
      "userinfo-key-reserved": "Keys that begin with “longpress.” are reserved. Rename this key.",
      "userinfo-too-deep": "Nest at most 8 levels.",
      "date-invalid": "Enter a date such as 2026-01-31T09:00:00Z.",
      "data-invalid": "Enter the data in base64.",
      "userinfo-too-large": "User info is limited to 4,096 bytes. Store an id and let the app look up the rest.",
      "marker-invalid": "Keys named $date and $data are reserved. Rename this key.",
      "integer-out-of-range": otherNumber,
      "real-out-of-range": otherNumber,
      "source-invalid": "Use lower-case letters, digits and hyphens, such as recent-contact. Begin with a letter.",
      "placeholder-invalid": "Write placeholders like {name}. For a brace, write {{ or }}.",
      "placeholders-differ": "Use the same placeholders in every language.",
      "placeholder-misplaced": "Use placeholders only in the path, query or fragment of the URL.",
      "placeholder-undeclared": ({ name }) => `Enter a sample value for {${name}}.`,
      "placeholder-unused": "No text uses this placeholder. Remove the value.",
      "share-invalid": "Enter a number of at most 100, with at most two decimals.",
      "step-order": "A step must be later than the step before it, and raise the share.",
      "time-past": "Enter a time in the future. An end must be after the start.",
      "time-too-late": "This service limits how long a token lasts. Enter an earlier time.",
      "not-an-app": builtApp,
      "bundle-mismatch": ({ name }) => `This Info.plist is from the app ${quoted(name)}. Import it there.`,
      "invalid-version": builtApp,
      "build-setting": builtApp,
      "over-budget": "More items are enabled than fit. iOS shows four, static items first, and hides the rest.",
      "title-emoji": ({ language }) => `The title in ${language} has an emoji. Apple recommends an icon instead.`,
      "title-app-name": ({ language }) =>
        `The title in ${language} repeats the app's name, which is beside the menu already.`,
      "title-invisible": ({ language }) =>
        `The text in ${language} has only invisible characters. Enter visible text.`,
      "text-direction": ({ language }) =>
        `The text in ${language} has an invisible character that changes the order of letters. Type it again.`,
      "static-twin": ({ release }) => `Release ${release} has a static item with the same title. People see both.`,
      "asset-missing": ({ release, name }) =>
        `Release ${release} has no image or symbol ${quoted(name)}, so the item has no icon.`,
      "scheme-undeclared": ({ release, name }) => `Release ${release} can't open ${name}: URLs.`,
      "id-dropped": ({ name }) =>
        `${quoted(name)} was removed without a rule. Choose what a tap on it opens under Removed items.`,
      "unknown-id": ({ name }) => `${quoted(name)} was never published. Check its spelling.`,
    },
  },
  navigation: {
    main: "Main", apps: "Apps", webhooks: "Webhooks", tokens: "Tokens", nodes: "Nodes", about: "About",
    signOut: "Sign out", skip: "Skip to content",
    who: (role) => ` · ${role}`,
  },
  signIn: {
    title: "Sign in · Longpress", signedOut: "Signed out.",
    noCookie: "The browser did not keep the session. Use https or localhost, and allow cookies.",
    as: (person) => `Continue as ${person}`,
    needed: "Enter a token.", noRole: "Your account has no role here. Ask your administrator for one.",
    reasons: {
      "token-revoked": "You were signed out because the token was revoked. Sign in with another token to continue.",
      "session-ended": "You signed out in another window. Your edits are kept. Sign in to continue.",
      other: (name) => `${name} used another window of this browser to sign in. Sign in as yourself to continue.`,
      ended: "Your session has ended. Your edits are kept. Sign in to continue.",
    },
  },
  roles: {
    needs: (role, has) =>
      `Only ${roleNames[role]}${role === "owner" ? "" : " and higher roles"} can do this. `
        + `You are signed in as ${article(has)} ${has}.`,
    viewOnly: "You can view only. To make changes, ask an owner for another role.",
    scoped: "Your token is for some apps only. Ask an owner for one for all apps.",
  },
  keys: {
    title: "Keyboard shortcuts", key: "Key", meaning: "Action", then: "then",
    single: "Use single keys, such as ? and /",
    singleHint: "If you switch them off, find this list under About.",
    groups: [
      { title: "Everywhere", list: [
        ["?", "This list"], ["/", "Search"], ["g a", "Apps"], ["g w", "Webhooks"], ["g t", "Tokens"], ["g n", "Nodes"],
        ["g b", "About"],
        ["Esc", "Close a dialog"],
      ] },
      { title: "In search", list: [
        ["↓ ↑", "Next and previous result"], ["Enter", "Open the result, or the first one"],
        ["Esc", "Leave the search"],
      ] },
      { title: "In the editor", list: [
        ["Ctrl Z", "Undo"], ["Ctrl Shift Z", "Redo"], ["Ctrl S", "Save the draft now"], ["Ctrl Enter", "Publish"],
        ["Alt ↑", "Move the item up"], ["Alt ↓", "Move the item down"],
      ] },
      { title: "In the update gap", list: [["← →", "Previous and next pair of versions"]] },
    ],
  },
  search: {
    label: "Search",
    placeholder: "Search  /",
    results: "Results",
    kinds: { place: "Page", app: "App", set: "Version", item: "Item", webhook: "Webhook", token: "Token" },
    draft: "draft",
    count: (found, shown, { isWhole, isMore }) => {
      if (found === 0) return isWhole ? "Nothing found." : "Searching…";
      const results = isMore ? `More than ${found} results` : `${found} results`;
      return (
        found > shown ? `${results}, ${shown} shown. Add words to narrow the search.` : many(found, "result", "results")
      )
        + (isWhole ? "" : " Searching…");
    },
  },
  apps: {
    add: "Add app", id: "App id", name: "Name", defaultLanguage: "Default language", fallbackURL: "Fallback URL",
    list: "Apps",
    idHint: "The bundle identifier from Xcode. This can't be changed later.",
    noBundleID: (text) => `“${text}” is not a bundle identifier. An example is com.example.mail.`,
    bring: "Import an Info.plist",
    bringTo: (app) => `Import an Info.plist for ${app}`,
    defaultLanguageHint: "Every item needs a title in this language.",
    languages: "Other languages",
    languagesHint: "Separated by commas. The editor has a row for each. You can change them in the settings.",
    fallbackURLHint: "Lost taps open this URL: taps on removed items without a rule.",
    filter: "Filter", sort: "Sort by", onlyAttention: "Needs attention", noneFound: "No app matches.",
    orders: { attention: "Attention", name: "Name", publishedAt: "Last publish" },
    found: (count, isMore) => `${isMore ? `More than ${count} apps` : many(count, "app", "apps")}.`,
    attention: (count, isMore) => (
      count === 0
        ? "No app needs attention."
        : `${isMore ? "More than " : ""}${many(count, "app needs", "apps need")} attention.`
    ),
    causes: {
      lostTaps: (count) => `${many(count, "tap", "taps")} lost in 30 days`,
      drafts: (count) => `${many(count, "draft waits", "drafts wait")} for approval or publishing`,
      campaigns: (count) => `${many(count, "campaign ends", "campaigns end")} soon`,
      webhooks: (count) => many(count, "webhook fails", "webhooks fail"),
    },
    exists: (app) => `${app} exists already.`,
    added: (app) => `${named(app)} was added.`,
    noMenu: "No menu for everyone yet", menuOf: (app) => `Menu of ${app}`,
    neverPublished: "Nothing published yet.",
    published: (name, by, kind) =>
      (kind === "candidate" ? `Roll-out of ${name} by ${named(by)}` : `Menu of ${name} ${kind} by ${named(by)}`),
    rolloutEnded: " It has ended.",
    taps: (count) => (count === 0 ? "No taps in 30 days." : `${many(count, "tap", "taps")} in 30 days.`),
    drafts: (count) => many(count, "draft", "drafts"),
    scheduled: (count) => many(count, "scheduled change", "scheduled changes"),
    approvals: (count) => `${count} to approve`, sentBack: (count) => `${count} sent back`,
  },
  firstRun: {
    title: "Quick actions, without an app update",
    what:
      "Quick actions are the menu of an app's icon on the Home Screen. People open it with a long press. "
        + "Longpress serves this menu, so you can change it at any time.",
    start: (app) =>
      `Begin with an example, the app ${app}. You can delete it in its settings later. Or add your own app.`,
    askOwner: "There is no app yet. Ask an owner to add one.",
    make: "Make a menu from this example",
    gap: "After an update",
    gapText:
      "Phones show the old menu until someone opens the updated app. "
        + "Longpress knows what a tap on an old item opens, and warns you before a tap is lost.",
    titles: {
      "new-note": "New Note", search: "Search", favorites: "Favorites", compose: "Compose", drafts: "Drafts",
    },
  },
  app: {
    rooms: "App", timeline: "Timeline", gap: "Update gap", history: "History", taps: "Taps", releases: "Releases",
    settings: "Settings", newSet: "New menu", create: "Create",
    fromVersion: "From version",
    fromVersionHint: "The menu applies to this version and later ones, until the version of the next menu.",
    audience: "Audience", audienceHint: "A group of people such as member or guest. Leave it empty for everyone.",
    hasMenu: (name) => `${name} has a menu already. Here you can edit it.`,
    noAudience: "Use up to 32 lowercase letters, digits and hyphens. Begin with a letter or digit.",
    noVersion: (text) =>
      `“${text}” is not a version. Use one to three integers separated by periods, for example 2.10.0.`,
    deleted: (app) => `Someone deleted ${app}.`,
    published: ({ revision, kind, version, audience, by }, more) => {
      const set = audience === "default" ? version : `${version} ${audience}`;
      const what = kind === "deleted"
        ? `${named(by)} deleted the menu of ${set} (revision ${revision}).`
        : kind === "candidate"
        ? `${named(by)} started a roll-out of ${set} (revision ${revision}).`
        : `${named(by)} published revision ${revision} of ${set}.`;
      return more > 0 ? `${what} ${many(more, "other revision is", "other revisions are")} new, too.` : what;
    },
  },
  settings: {
    nameHint: "The name below the icon. Longpress warns about titles that repeat it.", approvals: "Approvals",
    approvalsHint: "How many other people must approve a draft before it is published, 0 to 5.",
    approvalsRange: "Enter a whole number from 0 to 5.",
    languages: "Languages",
    languagesHint: "The languages of the app, separated by commas: English, German. The editor has a row for each.",
    icon: "Icon", iconHint: "A square PNG of at most 128 kB. The phone in the console shows it.",
    chooseIcon: "Choose a picture", removeIcon: "Remove icon", iconSaved: "Icon saved.", iconRemoved: "Icon removed.",
    badIcon: (file) => `${file} is not a PNG of at most 128 kB.`,
    lower: (from, to) => `Require ${to} instead of ${many(from, "approval", "approvals")}`,
    lowerReason: "Reason for fewer approvals",
    save: "Save", saved: "Settings saved.", unchanged: "No changes.",
    changedMeanwhile:
      "Someone else changed the settings. The fields now have both changes. Save again.",
    end: "Delete the app", endHint: "Phones keep the menus that they have.",
    delete: "Delete app…", deleteTitle: (app) => `Delete ${app}`, deleteNow: "Delete",
    deleteText: (app, sets, drafts, releases) =>
      `${many(sets, "menu", "menus")}, ${many(drafts, "draft", "drafts")} and `
        + `${many(releases, "release", "releases")} are deleted, too. This can't be undone. `
        + `To delete the app, enter its id: ${app}`,
    otherID: (app) => `Enter ${app}.`, deleted: (app) => `${app} was deleted.`,
  },
  timeline: {
    version: "Version", releases: "Releases", region: "Timeline of versions", panel: "Menu of a version",
    scheduled: "scheduled", edit: "Edit", editNamed: (name) => `Edit ${name}`,
    question: "What does version … see?", everyAudience: "All",
    campaign: (name, isLive) => `Campaign of ${name}${isLive ? ", live" : ""}`,
    first: "Create the first menu",
    empty: "This app has no menu yet. Create one, or drop the built app's Info.plist here.",
    emptyBut: "This app has no menu yet, so its versions show only their static items.",
    earlier: "← Earlier", later: "Later →", isEarliest: "This is the earliest version.",
    isLatest: "This is the latest version.",
    extent: (count, first, last) => `${count} versions, ${first} to ${last}`,
    revision: (revision) => `revision ${revision}`,
    release: (version, builds, statics) =>
      `Release ${version}, build ${builds}: ${many(statics, "static item", "static items")}`,
    statics: (count) => `◆ ${count} static`,
    rules: (version, until, audience) =>
      `From ${version}${until ? `, before ${until}` : " on"}, for ${people(audience).toLowerCase()}`,
    menuOf: (version, audience) => `Menu of ${version}, ${people(audience)}`,
    menus: (version, menus) =>
      [
        `${version}.`,
        ...menus.map(([audience, titles]) => `${people(audience)}: ${titles.join(", ") || "no quick actions"}.`),
      ].join(" "),
    publishedBy: (revision, by) => `Revision ${revision}, published by ${named(by)}`,
    draftBy: (by) => `A draft, saved by ${named(by)}`,
    servedTo: (version) => `Version ${version} sees`, launched: "After the first launch",
    nothingServed: "No menu is published. Phones keep the menu that they have.",
    keeps: (version) => `${version} is older than every menu. Phones keep the menu that they have.`,
    why: (version, revision, by) => `From the menu of ${version}: revision ${revision}, by ${named(by)},`,
    cut: (count) => `${many(count, "item is", "items are")} not shown.`,
    between: (from) => `Updated from ${from}, not opened yet`, onScreen: (audience) => `On screen, ${people(audience)}`,
    entry: (kind, at, by) => `${kinds[kind]} scheduled for ${at} by ${named(by)}`,
  },
  editor: {
    items: "Items", toolbar: "Draft", addItem: "Add item", addLanguage: "Add language", foldAll: "Fold all",
    unfoldAll: "Unfold all",
    undo: "Undo", redo: "Redo", publish: "Publish…", drop: "Delete draft",
    id: "Id", language: "Language",
    idHint: "The app and the statistics know the item by its id. It can be changed until the first publish.",
    idFixed: "The app and the statistics know the item by its id. It can't be changed after a publish.",
    newItem: "New item", advanced: "Advanced",
    languageHint: "A name like Korean, or a tag like ko, pt-BR or zh-Hant.",
    item: (id) => `Item ${id}`, fold: (title) => `Details of ${title}`,
    titleIn: (tag) => `Title (${tag})`, subtitleIn: (tag) => `Subtitle (${tag})`, title: "Title", subtitle: "Subtitle",
    type: "Type", url: "URL", enabled: "Enabled",
    target: "Target content identifier",
    targetHint: "For apps with several windows: the window that a tap opens. Most apps leave it empty.",
    moveUp: "Move up", moveDown: "Move down", remove: "Remove", drag: "Drag to another place",
    isFirst: "This is the first item.",
    isLast: "This is the last item.", pin: "Phone",
    typeHint: "The app's code recognizes the item by this text.",
    urlHint: "A tap opens this URL in the app. Without it, the app decides.",
    cut: "not shown", needsTitle: (language) => `Needs a title in ${language}`,
    taps: (count) => `${amount(count)} ${count === 1 ? "tap" : "taps"} in 30 days`,
    signedOut: "Your session has ended. Your edits are kept. Sign in to continue.",
    back: (name) => `${name} is back.`, undone: (words) => `Undone. ${words}`, redone: (words) => `Redone. ${words}`,
    step: ({ added, removed, replaced, retired, moved, changed }, name, fieldName) => [
      ...added.map(({ id }) => strings.editor.back(name(id))),
      ...[...removed, ...[...replaced, ...retired].map(({ item }) => item)].map(({ id }) => `${name(id)} is removed.`),
      ...moved.map(({ item, place }) => `${name(item.id)} is number ${place}.`),
      ...changed.map(
        ({ item, members }) => `${name(item.id)}: ${members.map(({ member }) => fieldName(member)).join(", ")}.`
      ),
    ].slice(0, 5).join(" "),
    toCorrect: (count) => `${count} to correct`,
    missingIn: (languages, count) =>
      `no title in ${languages.join(", ")}${count > languages.length ? ` and ${count - languages.length} more` : ""}`,
    missingTitle: (fallback, isDefault) =>
      (isDefault || !fallback ? "Add a title" : `Not translated: shows “${fallback}”`),
    setFallback: "Fallback URL",
    setFallbackHint:
      "Lost taps open this URL: taps on removed items without a rule. Leave it empty to use the app's fallback URL.",
    moved: (name, place) => `${name} is now number ${place}.`, removed: (name) => `${name} was removed.`,
    nothingToUndo: "Nothing to undo.", nothingToRedo: "Nothing to redo.",
    nothingToPublish: (revision) => `Nothing to publish. This is revision ${revision}.`,
    saved: (count) =>
      count > 0 ? `Draft saved, ${many(count, "error", "errors")} to correct before publishing.` : "Draft saved.",
    incomplete: (count) => `Not published: ${many(count, "error", "errors")} to correct.`,
    isPublished: (revision) => `Published as revision ${revision}.`, editing: "Editing…",
    savingNow: "Saving…",
    unsaved: (why) => `Not saved. ${why}`, retrying: "Not saved yet. Trying again automatically.",
    kept: "Not saved. Your edits stay in this tab. Open the menu again to save them.",
    restored: "Your unsaved edits are back.",
    setDeleted: "Someone deleted this menu.",
    appDeleted: (app) => `Someone deleted the app ${app}. It can no longer be saved or published.`,
    refused: (count) => `Not saved: ${many(count, "error", "errors")} to correct.`,
    contested: "Not saved: someone else changed the same items. Choose above which changes to keep.",
    collides: (count) =>
      `Someone else made ${many(count, "change", "changes")} that conflict with yours. Choose above which to keep.`,
    putOff: "Choose which changes to keep in Merge changes, above the items.",
    onlyMerged: (revision) => `Merged with revision ${revision}, not saved.`,
    dropped: "Draft deleted.", dropText: "This deletes all edits since the last publish. The published menu stays.",
    empty: "This menu is empty. Publishing it removes all quick actions. Add the first item.",
    copy: (version) => `Copy the items of ${version}`,
    invalidID: "Use up to 128 letters, digits, dots, hyphens and underscores. Begin with a letter or digit.",
    takenID: (id) => `An item ${id} exists already.`,
    invalidLanguage: (tag) => `“${tag}” ${notALanguage}`,
  },
  translations: {
    title: "Translations", of: (language, count, all) => `${language}: ${count} of ${all}`,
    cell: (name, language) => `${name}: ${language}`,
    cut: "Too long: iPhones with a narrow screen cut it off.",
  },
  removed: {
    title: "Removed items", columns: ["Item", "A tap on it"],
    hint: "Phones show old items until the updated app is opened. Choose what a tap on them does.",
    lost: (count) => (
      count === 0 ? "No tap is lost."
      : count === 1 ? "Taps on one removed item are lost. Choose what they do."
      : `Taps on ${count} removed items are lost. Choose what they do.`
    ),
    where: (versions, taps) => [
      versions.length > 3 ? `in ${versions[0]} to ${versions.at(-1)}`
      : versions.length > 0 && `in ${versions.join(", ")}`,
      taps > 0 && strings.editor.taps(taps),
    ].filter(Boolean).join(" · "),
    tap: (name) => `A tap on ${name}`, url: (name) => `URL for ${name}`,
    undecided: "Lost: choose…", inherited: (words) => `${words}, as before`,
    opens: "Opens a URL",
    does: (title, url, fallback) =>
      title ? `Same as ${title}` : url ? `Opens ${url}` : fallback ? `Opens ${fallback}` : "Just opens the app",
    choose: "Choose what a tap does.", decide: "Decide…",
    draft: (version) => `Decided in the draft of ${version}, not published.`,
    publish: "Open the draft to publish", open: "Open the draft",
  },
  icon: {
    label: "Icon", none: "None", choose: (name) => `Icon: ${name}`, title: (id) => `Icon of ${id}`,
    system: "System icon", symbol: "Symbol",
    type: (name) => name[0].toUpperCase() + name.slice(1).replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`),
    file: "Image", use: "Use",
    symbolHint: "An SF Symbol, for example square.and.pencil. It replaces the image and the system icon.",
    nearest: "This is the nearest icon of Bootstrap Icons. The phone shows Apple’s symbol.",
    placeholder: "There is no picture of this symbol here. Check its name in Apple’s SF Symbols.",
    similar: "Symbols with pictures",
    fileHint: "A template image in the app's assets. It replaces the system icon.",
  },
  personal: {
    title: "Personal item",
    hint:
      "The app fills in placeholders like {name} from its own data, and may show the item several times. "
        + "The values stay on the phone.",
    source: "Source", sourceHint: "The app's name for the data, such as recent-contact. Ask a developer.",
    limit: "Maximum",
    sample: (name) => `Sample for {${name}}`, remove: (name) => `Remove the sample for {${name}}`,
  },
  userInfo: {
    title: "User info", add: "Add a key", addTo: (name) => `Add to ${name}`, key: (name) => `Key ${name}`,
    noNumber: (text, kind) =>
      `“${text}” is not ${{ integer: "an integer", date: "a date", data: "base64" }[kind] ?? "a number"}. `
        + "The previous value is kept.",
    kind: (name) => `Kind of ${name}`, value: (name) => `Value of ${name}`, remove: (name) => `Remove ${name}`,
    kinds: {
      string: "String",
      integer: "Integer",
      real: "Real",
      boolean: "Boolean",
      date: "Date",
      data: "Data",
      array: "Array",
      dictionary: "Dictionary",
    },
  },
  phone: {
    noMenu: "No quick actions", time: "9:41",
    /** The rows of iOS, as a phone in this language shows them. */
    system: {
      ar: ["تعديل الشاشة الرئيسية", "مشاركة التطبيق", "إزالة التطبيق"],
      de: ["Home-Bildschirm bearbeiten", "App teilen", "App entfernen"],
      en: ["Edit Home Screen", "Share App", "Remove App"],
      es: ["Editar pantalla de inicio", "Compartir app", "Eliminar app"],
      fr: ["Modifier l’écran d’accueil", "Partager l’app", "Supprimer l’app"],
      ja: ["ホーム画面を編集", "アプリを共有", "アプリを削除"],
      ko: ["홈 화면 편집", "앱 공유", "앱 제거"],
      zh: ["编辑主屏幕", "分享 App", "移除 App"],
    },
  },
  preview: {
    region: "Preview", language: "Language", menu: "Menu", atBottom: "At the bottom", dark: "Dark", large: "Large text",
    notShown: "Not shown",
    nearest: (names) =>
      `${listed(names)} ${names.length === 1 ? "is" : "are"} drawn with the nearest icon of Bootstrap Icons.`,
    placeholder: (names) =>
      `There is no picture of ${listed(names)} here. Phones show it if Apple’s SF Symbols has that name.`,
    statics: (count, version) => (
      count === 0
        ? `Release ${version} has no static items.`
        : `${many(count, "static item", "static items")} of release ${version} ${count === 1 ? "comes" : "come"} first.`
    ),
    noRelease: "To see static items, too, import the app's Info.plist under Releases.",
    cut: "iOS shows four items.", disabled: "Disabled.",
  },
  onPhone: {
    button: "Preview on a phone", title: "Preview on a phone", link: "Link", code: "QR code of the link",
    scan: (end) => `Scan this code with a phone that has the app. The app shows this draft until the link ends ${end}.`,
    tooLong: "The link is too long for a QR code. Open it on the phone.",
    hint:
      "Anyone with the link sees the draft. The phone needs a version that this menu is for, and the app must allow "
        + "previews.",
    tooMany: "This app has 20 links to drafts. To make room, open another draft and end its link.",
    others: "Other links to this draft", other: (end, by) => `Ends ${end}, created by ${named(by)}`,
    end: "End link", endOther: "End", ended: "The link has ended. Phones show the live menu.",
    noScheme:
      "The newest release has no URL scheme, so a link cannot open the app. Import the app's Info.plist under "
        + "Releases, then try again.",
  },
  publish: {
    title: "Publish", now: "Publish now", schedule: "Schedule", at: "At", until: "Until", warnings: "Warnings",
    noWarnings: "No warnings.",
    before: "Before", after: "After", approve: "Approve",
    message: "Message", messageHint: "Why you publish this menu. The history shows it.",
    beforeFrom: (version, revision) => `Before: menu of ${version}, revision ${revision}`,
    pictures: "Pictures in",
    inLanguage: (words, language) => `${words}, in ${language}`,
    reach: (version, until, audience) =>
      `For versions from ${version}`
        + `${until ? `, before ${until}` : " on"}${audience === "default" ? "" : `, for ${audience}`}.`,
    firstOf: (audience, version) =>
      `This is the first menu for ${audience}. `
        + `Phones of this audience with a version before ${version} keep their menu.`,
    unsaved:
      "The draft has the latest publish, but is not saved. An editor must choose Save before it can be approved.",
    zone: (zone) => `Enter a time to publish later, for example tomorrow 9:00. Your time zone is ${zone}.`,
    timeExample: "tomorrow 9:00", calendar: "Choose", pick: (label) => `${label}: choose a date and time`,
    end: "When the campaign ends",
    endHint: "To open a page instead, set a fallback URL in Settings.",
    campaign: "Before: the campaign", afterEnd: "After: the menu from before the campaign",
    endsEarly: "The end must be after the start.",
    campaignHint: "The name of the campaign. The timeline and the history show it.",
    untilHint: "The end of a campaign: the menu from before it returns. Leave it empty for no end.",
    understood: (time, zone) => `${time} (${zone})`,
    noTime: "Enter a time like 2026-12-24 18:00 or tomorrow 9:00.",
    noSuchTime: (zone) => `This time does not exist in ${zone}: the month is shorter, or the clocks skip the hour.`,
    hasTime: "To publish now, clear the time.",
    standing: "(also in the current menu)", running: "Publishing…",
    missing: (count, names, isApprover) => [
      many(count, "approval", "approvals"), " missing",
      isApprover && ": approve the draft",
      names.length > 0 && [isApprover ? `, ${count > 1 ? "and" : "or"} ask ` : ": ask ", ...names],
    ],
    decide: (count) => `Review ${many(count, "lost tap", "lost taps")}`,
    gapHint: "Phones show the old menu until the app is opened. A tap on it does this:",
    earlier: (version) => `Also on phones with ${version ?? "an earlier menu"}`,
    languages: "Languages", untranslated: ". Missing: ",
    instead: (language) => ` Phones show the ${language} titles of these.`,
    translated: (language, given, all) => `${language}: ${given} of ${all}`,
    subject: (name, language) => quoted(name) + (language ? ` (${language})` : ""),
    together: {
      "id-dropped": (names) => `Taps on ${names} are lost. Choose what they open under Removed items.`,
      "title-emoji": (names) => `${names} have an emoji. Apple recommends an icon instead.`,
      "title-app-name": (names) => `${names} repeat the app's name, which is beside the menu already.`,
      "title-invisible": (names) => `${names} have only invisible characters. Enter visible text.`,
      "text-direction": (names) => `${names} have invisible characters that change the order of letters.`,
      "static-twin": (names) => `${names} have the same title as a static item. People see both.`,
      "asset-missing": (names) => `${names} have no icon, because the release has no such image or symbol.`,
      "scheme-undeclared": (names) => `${names} open URLs that the release can't open.`,
      "unknown-id": (names) => `${names} were never published. Check their spelling.`,
    },
    approved: (given, needed) => `Approved: ${given} of ${needed}.`,
    ownWork: "You or the creator of your token edited this draft. Ask someone else to approve it.",
    override: "Reason for publishing without approvals", overrideHint: "Only for owners. The audit records it.",
    mergedFirst: " The draft now has both changes. Check it and publish again.",
    contested: " Your draft was not published.",
    done: (revision) => `Published as revision ${revision}.`, scheduled: (time) => `Scheduled for ${time}.`,
    /** @type {(now: Date) => [string, Date][]} */
    quick: (now) => {
      const at = (days, hour) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
      const next = (day, hour) => {
        const days = (day - now.getDay() + 7) % 7;
        return at(days, hour) > now ? at(days, hour) : at(days + 7, hour);
      };
      return [
        ["In one hour", new Date(now.getTime() + 3_600_000)],
        ["Tomorrow, 09:00", at(1, 9)],
        ["Friday, 18:00", next(5, 18)],
        ["Monday, 09:00", next(1, 9)],
      ];
    },
  },
  rollout: {
    title: (name) => `Roll-out of ${name}`, get: (share, revision) =>
      (share > 0 ? `${percent(share)} get revision ${revision}` : `No phone gets revision ${revision} yet`),
    starts: (share, time) => `Starts ${time} with ${percent(share)}.`,
    to: "Publish to", everyone: "Everyone", some: "A share of phones", share: "Percent",
    publishTo: (share, isLater) =>
      `${isLater ? "Schedule for" : "Publish to"} ${share >= 0 ? percent(share) : "a share"}`,
    now: "Now",
    addStep: "Add a step", start: "Start", step: (number) => `Step ${number}`, stepAt: "At",
    startHint: (zone) => `Leave it empty to start now. Your time zone is ${zone}.`,
    notFirst: "The first menu of a version goes to everyone. Later ones can go to a share of the phones first.",
    next: (share, time) => `, ${percent(share)} ${time}`,
    arm: (share) => `On ${percent(share)} of the phones, after the first launch`,
    stepHint: (zone) => `When the share rises. Your time zone is ${zone}.`,
    lost: "Stop if lost taps exceed (%)", worse: "Stop if phones that tap fall below (%)",
    lostHint: "The percentage of phones whose first tap is lost. Leave it empty for no limit.",
    worseHint:
      "For example 90: fewer than 90 phones tap for every 100 with the current menu. Leave it empty for no limit.",
    isLow: (worse) => `This stops it only below ${percent(worse)}. 90 means 90 %.`,
    noPercent: (isLimit) => `Enter a number ${isLimit ? "above 0" : "from 0"} to 100, with at most two decimals.`,
    noRise: (least) =>
      (least < 100
        ? `A step raises the share. Enter more than ${least}.`
        : "Remove the step: the share is 100 % already."),
    noOrder: (isFirst) => (isFirst ? "Enter a time in the future." : "A step must be later than the step before it."),
    runs: (share, revision) =>
      `A roll-out ${share > 0 ? "is running" : "has not started"}: ${strings.rollout.get(share, revision)}.`,
    see: "Open the roll-out",
    stopFirst: "Stop the roll-out and publish this menu to everyone",
    restoreStops: "Restoring a menu stops it.",
    blocks: "A roll-out is running. To publish now, stop it.",
    done: (share, revision) =>
      (share > 0 ? `The roll-out has started: ${strings.rollout.get(share, revision)}.` : "The roll-out is scheduled."),
    never: "This menu never had a roll-out. To start one, publish a draft to a share of the phones.",
    noResult: "The result of this roll-out is no longer kept.",
    started: (share, revision, by, isEnded) => [
      !isEnded ? strings.rollout.get(share, revision)
        : share > 0 ? `${percent(share)} got revision ${revision}` : `No phone got revision ${revision}`,
      `. ${share > 0 ? "Started" : "Made"} by `, by, ",",
    ],
    noStart: "No start is planned.",
    tooEarly: "It ended too early to tell a difference.",
    endedAt: " Ended ",
    toAll: "At 100 %, the roll-out still runs until you promote it. A scheduled publish ends it, too.",
    thisEnds: "This ends the roll-out.",
    armOf: (arm, share, isEnded) => `${arm} (${percent(share)} of phones${isEnded ? "" : " now"})`,
    toolbar: "Roll-out", plan: "Plan", change: "Change…", changeTitle: "Change the roll-out",
    changed: "Roll-out changed.",
    guard: ({ lost, worse }) => {
      const limits = [
        lost && `more than ${percent(lost)} of the first taps are lost`,
        worse && `less than ${percent(worse)} as many phones tap as with the current menu`,
      ].filter(Boolean);
      return limits.length > 0 ? `It stops if ${limits.join(" or ")}.` : "No limit stops it.";
    },
    ends: (end, { lost, worse }, by) => {
      const who = by ? ` by ${named(by)}` : "";
      return {
        promoted: `Promoted${who}: everyone gets the new menu.`,
        stopped: `Stopped${who}: everyone has the earlier menu.`,
        replaced: `The menu was changed${who}, which stopped the roll-out.`,
        lost: `Stopped by its limit: more than ${percent(lost)} of the first taps were lost.`,
        worse: `Stopped by its limit: phones that tapped fell below ${percent(worse)} of the current menu's.`,
      }[end];
    },
    promote: "Promote", stop: "Stop",
    promoteText: (name, revision) =>
      `Everyone gets revision ${revision}, as a new revision of ${name}. The roll-out ends.`,
    endHint: (zone) => `Leave it empty to do it now. Your time zone is ${zone}.`, endPlanned: "Scheduled.",
    stopText: (revision, control, share) =>
      `Everyone ${share > 0 ? "gets" : "keeps"} ${control ? `revision ${control}` : "the current menu"}`
        + `${share > 0 ? " again" : ""}. The history keeps the new menu as revision ${revision}.`,
    endsPlan: " What is scheduled for the roll-out is cancelled.",
    ended: (end, revision) => (end === "promote" ? `Promoted as revision ${revision}.` : "The roll-out has stopped."),
    arms: (isPromoted) => ["New menu", isPromoted ? "Previous menu" : "Current menu"],
    menu: (arm, revision) => (revision ? `${arm}: revision ${revision}` : arm),
    firstTaps: "First taps", firstTapsHint: "The first tap of each phone during the roll-out.",
    taps: (count, lost, { estimate, lower, upper }) =>
      amount(count) + (lost > 0
        ? `, ${amount(lost)} of them lost${estimate === undefined ? ""
          : ` (${ratio(estimate)} %, between ${ratio(lower ?? 0)} % and ${ratio(upper ?? 100)} %)`}`
        : ""),
    limit: (worse) => `Stops below ${ratio(worse / 100)} ×`,
    plot: "Ratio over time", plotColumns: ["When", "First taps", "Ratio", "Between"],
    times: (number) => (number === undefined ? "unknown" : `${ratio(number)} ×`),
    interval: (lower, upper) =>
      (lower === undefined && upper === undefined
        ? "unknown"
        : `${ratio(lower ?? 0)} to ${upper === undefined ? "…" : ratio(upper)}`),
    items: "Taps by item", itemColumns: ["Item", "Outcome"],
    otherItems: "Other items", noTaps: "No taps were counted yet.", menus: "Menus",
  },
  conflict: {
    title: "Merge changes", merge: "Merge", mine: "Mine", theirs: "Theirs", removed: "Removed",
    kept: (title) => `Kept: “${title}”`, before: "Before: ",
    of: (name, member) => [name, `: ${member}`],
    member: (kind, language) => `${kind === "title" ? "Title" : "Subtitle"} in ${language}`,
    members: { removed: "Keep or remove", retired: "Retired", order: "Order", fallbackURL: "Fallback URL" },
    retired: (url) => `A tap ${opens(url)}`, notRetired: "Not decided",
    explanation: " Choose which change to keep for each item. All other changes are merged.",
    news: (cause, who, isMe, when) => [
      who,
      ` ${causes[cause]}${isMe ? " in another window" : ""}${when ? ` ${when}` : ""}.`,
    ],
    now: (cause, hasBoth) => (
      !hasBoth ? " You see the new version."
      : ["deleted", "scheduled"].includes(cause) ? " Your edits are a draft again."
      : " The draft now has both changes."
    ),
  },
  review: {
    request: "Request approval", review: "Review", comment: "Comment",
    comments: "Earlier comments", requestChanges: "Request changes",
    someone: "Someone", You: "You", you: "you", others: "others", or: " or ", and: " and ",
    waiting: (names) => (names.length > 0 ? ["Waiting for ", ...names, ". "] : "Waiting for approval. "),
    requested: (who, when) => [who, ` requested approval ${when}`],
    changed: (who, when) => [who, ` requested changes ${when}`],
    approvedBy: (names) => ["Approved by ", ...names, ". "],
    saved: (who, when) => [who, ` saved this ${when}.`],
    whoMay: (names) => (names.length > 0 ? [...names, " can approve this draft."] : ["A publisher must approve it."]),
    isRequested: "Approval requested.", areRequested: "Changes requested.",
    isWithdrawn: "Your edit withdrew the request. Request approval again when the draft is ready.",
    changesHint: "What should change? The editors see it.", sayWhat: "Say what should change.",
    states: { editing: "draft", requested: "waiting for approval", changes: "changes requested", approved: "approved" },
    drafts: "Drafts", openDraft: (word, name) => `${word} the draft of ${name}`, see: "See",
  },
  schedule: {
    title: "Scheduled", calledOff: "Cancelled.", see: "Show change",
    callOff: (kind) => `Cancel ${{
      publish: "publish", restore: "restore", delete: "deletion", share: "step", promote: "promotion", stop: "stop",
    }[kind] ?? "entry"}`,
    never: (what) => `${what}: the roll-out ends before`,
    callOffStep: (what) => `This cancels: ${what}. Other steps stay.`,
    keep: "Go back", callOffCampaign: "Cancel campaign",
    callOffText: (title) => `${title}: the menu won't go live. It becomes your draft, without approvals.`,
    endNowText: (title) => `${title}: the menu does not revert. It stays live until someone publishes another one.`,
    isDraft: "Cancelled. Its menu is a draft again.",
    otherDraft: (name) => `${name} has another draft. Cancelling this publish deletes the scheduled menu.`,
    noDraft: (why) => `Cancelling this publish deletes the scheduled menu. It can't become a draft. ${why}`,
    entry: (kind, name, when, by, share) => `${{
      share: `Raise the roll-out of ${name} to ${percent(share)}`, promote: `Promote the new menu of ${name}`,
      stop: `Stop the roll-out of ${name}`,
    }[kind] ?? `${kinds[kind] ?? kind} ${name}`} ${when}, by ${by}`,
    waits: (kind, when, by, share) => ({
      share: `The share rises to ${percent(share)} ${when}, scheduled by ${by}.`,
      promote: `Everyone gets the new menu ${when}, scheduled by ${by}.`,
      stop: `The roll-out stops ${when}, scheduled by ${by}.`,
      publish: `${by} has scheduled a new menu ${when}. The current menu stays live until then.`,
      restore: `The menu of an earlier revision returns ${when}, scheduled by ${by}.`,
      delete: `This menu is deleted ${when}, scheduled by ${by}, unless someone publishes before then.`,
    })[kind] ?? "",
    at: (time, zone) => `${time} (${zone})`,
    campaign: "Campaign", named: (name, days) => `${name}, ${days}`, until: (day) => `until ${day}`,
    plan: (name, menu, by) => `${name}: ${menu}, by ${by}`,
    ends: (time) => `The menu reverts ${time}, unless someone publishes before then.`,
    begins: (name, by, when) =>
      `${by} has scheduled ${name ? `the campaign “${name}”` : "a campaign"} ${when}.`,
    endNow: "Cancel revert",
    today: (name, revision) => `Today: menu of ${name}, revision ${revision}`, now: "Today", then: "Then",
    unknown: "This entry restores the menu that is live when the campaign begins.",
    approvals: (needed, isPublish) => (
      isPublish
        ? `This app requires ${many(needed, "approval", "approvals")}. The scheduled menu keeps its approvals.`
        : "An automatic revert needs no approvals."
    ),
  },
  difference: {
    list: "Difference", none: "Nothing changes.", nothing: "nothing", more: (count) => `${count} more`,
    replaced: (old, now) => [old, " → ", now],
    retired: (name, url) => [name, ` is removed. A tap on it ${opens(url)}.`],
    removed: (name, url) => [name, ` is removed. A tap on it ${opens(url)}.`],
    added: (name) => [name, " is new."],
    enabled: (name, on) => [name, on ? " is shown." : " is no longer shown."],
    moved: (name, place) => [name, ` is now number ${place}.`],
    replaces: (names, heir, isNow) => ["A tap on ", ...names, isNow ? " opens " : " no longer opens ", heir, "."],
    unretired: (name) => ["A tap on ", name, " is no longer decided."],
    of: (name, member) => [`${member} of `, name, ": "],
    text: (kind, language) => `${language} ${kind}`, key: (name) => `User info ${name}`,
    members: {
      enabled: "Enabled", type: "Type", url: "URL", icon: "Icon", userInfo: "User info",
      targetContentIdentifier: "Target content", replaces: "Replaced items",
      fallbackURL: "Fallback URL", personal: "Personal item",
    },
    personal: { source: "Source", limit: "Maximum", sample: "Sample values" },
  },
  history: {
    revisions: "Revisions", restore: "Restore",
    columns: ["Revision", "Menu", "When", "Change", "Compare from", "to", "Restore"],
    publishedBy: (by) => ["Published by ", by], deletedBy: (by) => ["Deleted by ", by],
    candidateBy: (by) => ["Roll-out by ", by],
    runs: (share) => (share === undefined ? "ended" : share > 0 ? "running" : "not started"),
    restored: (revision) => `Restored revision ${revision}`,
    restoredBy: (revision, by) => [`Restored revision ${revision}, by `, by],
    message: "Message", messageHint: "Why you restore this revision. The history shows it.",
    importedBy: (by) => `imported by ${named(by)}`,
    difference: "Difference", audit: "Audit", table: "Table of revisions",
    auditColumns: ["When", "Token", "Action", "Target", "Reason"],
    choose: "To compare other revisions, choose them in the table.",
    auditHint: "Every change to this app, with the token that made it, newest first.",
    auditOwners: "Only owners with access to all apps see the audit.",
    empty: "Nothing published yet. Every publish will be listed here, and you can restore it.",
    from: (revision) => `Compare from ${revision}`, to: (revision) => `Compare to ${revision}`,
    open: (revision) => `Revision ${revision}`, live: "live", isLive: "This is the current menu.",
    noSet: "Deleted the menu.",
    deletedSet: (name) => `This deleted the menu of ${name}. To see the menu that applied next, open`,
    otherSets: "These are revisions of different menus.", times: (count) => `, ${count} times`,
    otherAction: "Other change",
    actions: {
      "app.created": "Added the app", "app.updated": "Changed the settings", "app.deleted": "Deleted the app",
      "release.imported": "Imported a release", "release.deleted": "Removed a release", "set.published": "Published",
      "set.deleted": "Deleted the menu",
      "rollout.started": "Started a roll-out", "rollout.changed": "Changed the share of a roll-out",
      "rollout.scheduled": "Scheduled the end of a roll-out",
      "rollout.promoted": "Promoted a roll-out", "rollout.stopped": "Stopped a roll-out",
      "draft.saved": "Saved a draft", "draft.deleted": "Deleted a draft", "draft.scheduled": "Scheduled a draft",
      "draft.approved": "Approved a draft", "draft.review-requested": "Requested approval",
      "draft.changes-requested": "Requested changes",
      "draft.approval-refused": "Tried to approve their own work",
      "draft.approval-withdrawn": "Withdrew an approval", "restore.scheduled": "Scheduled a restore",
      "schedule.cancelled": "Cancelled a scheduled change",
      "preview.created": "Created a preview link", "preview.deleted": "Ended a preview link",
      "store.applied": "Applied files", "store.imported": "Imported an export", "store.restored": "Restored a backup",
      "store.key-rotated": "Changed the key of secrets",
    },
    nothingToRestore: "This revision deleted the menu, so it cannot be restored.",
    named: (revision, name, by) => `Revision ${revision} of ${name}, by ${named(by)}`, alone: (name) => `${name}.`,
    restoreTitle: (revision) => `Restore revision ${revision}`,
    restoreText: (revision, name, isCandidate) =>
      `The menu of revision ${revision} is published at once as a new revision of ${name}.`
        + (isCandidate ? " Everyone gets it." : ""),
  },
  revision: {
    title: (revision) => `Revision ${revision}`, published: (name, by) => `Menu of ${name}, published by ${named(by)}`,
    deleted: (name, by) => `Menu of ${name}, deleted by ${named(by)}`,
    asDraft: "Edit as a draft", hasDraft: "This replaces the draft that exists already.",
    takeBack: "Undo publish", redo: "Redo", toolbar: "Revision", edit: "Open in the editor", told: "Webhooks",
    toldOwners: "Owners see which webhooks got this event.",
    before: (revision, name) => (revision ? `Before: revision ${revision}, menu of ${name}` : "Before: no menu"),
    after: (revision, name) => (revision ? `After: revision ${revision}, menu of ${name}` : "After: no menu"),
    liveAgain: (revision, now) => `Revision ${revision} is live again. The history lists it as revision ${now}.`,
    redoes: (former) => `Redo publishes the menu of revision ${former} again.`,
    keeps: "Phones keep the menu that they have. To clear it, publish an empty menu.",
    backRestores: (former) => `Restoring publishes the menu of revision ${former} again, as a new revision.`,
    backDeletes: (name, ruling) => (
      `${ruling ? "Restoring" : "Undoing"} deletes the menu of ${name}. `
        + `${ruling ? `The menu of ${ruling} applies again` : "Phones keep the menu that they have"}. `
        + "The deleted menu stays as a draft."
    ),
    nowServed: (name, ruling) =>
      (ruling
        ? `The menu of ${ruling} now applies to ${name}.`
        : `${name} has no menu now. Phones keep the menu that they have.`) + " Earlier revisions are in the history.",
    needsOwner: "This app requires approvals. Ask an owner to delete the menu with a reason.",
    ruledBefore: (name, version) =>
      `This is the menu's first revision. Before it, the menu of ${name} also applied to ${version}.`,
    takenBack: (revision) => `Revision ${revision} was undone.`,
    overtaken: (revision) => `Revision ${revision} is newer. To restore another revision, open the history.`,
    noEndpoints: "No webhook exists.", toldNobody: "No webhook gets this event.",
  },
  gap: {
    from: "From", to: "To", audience: "Audience", previous: "Previous pair", next: "Next pair", onScreen: "On screen",
    hidden: "Not shown by iOS", pairs: "All pairs of versions",
    hint: "After an update, phones show the items of the old version until the app is opened.",
    walk: " Press ← and → for other pairs.",
    empty: "An update needs two versions. Publish a second menu, or import a second release.",
    before: (version) => `Before: ${version}`, between: (version) => `Updated to ${version}, not opened`,
    downgraded: (version) => `Downgraded to ${version}, not opened`,
    after: "After the first launch",
    pair: (from, to) => `From ${from} to ${to}.`, more: (count) => ` and ${count} more`,
    position: (place, count, losing) =>
      `Pair ${amount(place)} of ${amount(count)}. `
        + (losing === 0 ? "No pair loses a tap." : `${many(losing, "pair loses", "pairs lose")} a tap.`),
    verdict: (lost, all, planned = 0, time = "") => (
      all === 0
        ? "The menu is empty."
        : lost === 0
        ? "No tap is lost."
        : `Taps on ${lost} of ${many(all, "item", "items")} are lost${
          planned === 0 ? "." : planned === lost ? ` until ${time}.` : `, on ${planned} of them only until ${time}.`}`
    ),
    forgotten: (titles) => `Taps on ${listed(titles)} are lost on phones that still show an earlier menu. `,
    planned: (version, time) => `Decided in the menu of ${version} that is scheduled for ${time}.`,
    judging: (sets) => `Checking all pairs of ${many(sets, "menu", "menus")}…`,
    losing: (losing, all) => (
      losing === 0
        ? "No pair of versions loses a tap."
        : all === 1
        ? "The only pair of versions loses a tap."
        : `${amount(losing)} of ${amount(all)} pairs ${losing === 1 ? "loses" : "lose"} a tap. The worst come first.`
    ),
    unjudged: (count) => `${many(count, "pair", "pairs")} could not be checked. Reload the page to try again.`,
    added: "New", removed: "Removed", changed: "Changed", unchanged: "The first launch changes nothing.",
    sentence: (outcome, item, url, until) => {
      const opened = url ? ["Opens ", url] : ["Just opens the app"];
      return {
        changed: ["Opens ", item, ", as in the new version"], retired: opened,
        removed: [...(url ? ["Opens only ", url] : opened), `: the tap is lost${until ? ` until ${until}` : ""}`],
        static: ["The app opens its static item"],
        untagged: ["Opens ", item, ", found by its type"], unknown: [...opened, ": this item is unknown"],
      }[outcome] ?? ["Opens ", item];
    },
    causes: "Why taps are lost", decideOnce: "Decide once",
    cause: (item, version, pairs, taps = 0) =>
      [item, ` was removed in ${version}: ${many(pairs, "pair", "pairs")}, ${many(taps, "tap", "taps")} last month`],
    decide: "Decide…", lostCount: (lost) => (lost === null ? "not checked" : `✕ ${lost} lost`),
    kinds: {
      taken: "Opens an item", landed: "Removed: opens a URL or the app, as decided",
      lost: "Removed, nothing decided: the tap is lost",
    },
    outcomes: {
      current: "Unchanged", equivalent: "Same action, other title or icon", changed: "Another action now",
      replaced: "Replaced by another item",
      retired: "Removed, as decided", removed: "Removed, nothing decided", static: "Static item",
      untagged: "Found by its type, without a version", unknown: "Unknown item",
    },
  },
  taps: {
    mostUsed: "Most used items", ranking: (total, words) => `${total} taps ${words}`,
    days: (count) => `in ${count} days`,
    between: (first, last) => (first === last ? `on ${first}` : `from ${first} to ${last}`),
    range: "Days", ranges: (value) => (value === "own" ? "Choose days" : `Last ${value} days`),
    first: "From", last: "To", export: "Export CSV",
    count: (count) => many(count, "tap", "taps"), parts: "Versions, outcomes and days",
    byVersion: "By version", byOutcome: "By outcome",
    other: (count) => `${count} more taps were on other items.`,
    byDay: "Taps by day", day: "Day", kinds: { taken: "Worked", landed: "Removed, as decided", lost: "Lost" },
    asTable: "As a table",
    outcomes: "Outcomes", outcomeColumns: ["Outcome", "#Taps", "#Share"],
    share: (count, total) => `${((count / total) * 100).toFixed(count === total ? 0 : 1)} %`,
    old: "Old items that people still tap", oldColumns: ["Item", "Menu version", "App version", "Outcome", "#Taps"],
    unknownIDs: "Ids that no menu of this app has, counted together",
    mostShown: (shown, all) => `The ${shown} most frequent of ${all}.`,
    rules: "Rules for removed items", ruleColumns: ["Item", "Rule", "Menu", "#Taps", "Advice"],
    rulesHint: "A rule says what a tap on an old item does. Keep it while phones may still show that item.",
    replacedBy: "same as", retired: "opens a URL or the app",
    mayGo: "You may remove it: no tap in these days.",
    needed: (versions) => `Still needed${versions.length > 0 ? `: phones with ${versions.join(", ")} show it` : ""}.`,
    tooEarly: "Too early: taps are counted for less than 7 days.",
    cannotTell: (total) =>
      (total === 0 ? "Unknown: no tap was counted in these days." : "Unknown: not among the most frequent taps."),
    empty: (words) => `No tap was counted ${words}. Ask your developers to count taps in the app.`,
    counted: (resolved, reported) =>
      `The service counted ${resolved} of these taps, and apps reported ${reported}.`,
    noOld: "Nobody taps old items.", noRules: "No menu has a rule.",
  },
  releases: {
    list: "Releases", file: "Info.plist", bring: "Import an Info.plist",
    drop: "Drop the built app's Info.plist here. It lists the static items and the URL schemes.",
    empty: "No releases yet, so previews have no static items.",
    imported: (name) => `Release ${name} was imported.`,
    noVersion: (file) => `${file} has no version (CFBundleShortVersionString). ${askForPlist}`,
    badPlist: builtApp,
    noPlist: (file) => `${file} is not an Info.plist. ${askForPlist}`,
    displayName: "Name", minimumOS: "From iOS", schemes: "URL schemes", assets: "Assets",
    assetCount: (images, symbols) => `${many(images, "image", "images")}, ${many(symbols, "symbol", "symbols")}`,
    assetsUnknown: "unknown",
    statics: (name) => `Static items of ${name}`, noStatics: "No static items", remove: "Remove",
    removeNamed: (name) => `Remove ${name}`,
    removeText: "Menus stay. Previews no longer show the static items of this release.",
    removed: (name) => `Release ${name} was removed.`,
  },
  webhooks: {
    about:
      "A webhook sends a signed request to your URL for each event, and retries until your server answers with 2xx.",
    limited: "Your token is limited to some apps. Choose at least one of them.",
    add: "Add webhook", edit: "Edit", list: "Webhooks", empty: "No webhooks yet. Add the first one with its URL.",
    url: "URL", urlHint: "Longpress sends events to this address.", description: "Description",
    descriptionHint: "What the webhook is for, such as messages to the team.",
    types: "Events", typesHint: "Leave all clear for every event, also future ones.",
    events: {
      "shortcuts.published": "Menu published", "shortcuts.deleted": "Menu deleted",
      "shortcuts.scheduled": "Change scheduled", "shortcuts.schedule-failed": "Scheduled change failed",
      "shortcuts.rollout-changed": "Roll-out started or changed", "shortcuts.rollout-stopped": "Roll-out stopped",
      "shortcuts.review": "Approval or changes requested", "shortcuts.override": "Published without approvals",
      "release.imported": "Release imported", "release.deleted": "Release removed",
      "app.created": "App added", "app.deleted": "App deleted", "webhook.disabled": "Webhook disabled",
    },
    apps: "Apps", appsHint: "Leave all clear for every app, also future ones.",
    order: "Order", ordered: "One after the other",
    orderHint: "An event waits until the previous one is delivered or given up.",
    inOrder: "One after the other.",
    enabled: "Enabled", failing: "Failing", disabled: "Disabled",
    sendAll: (count) => `${count} failed: send all again`,
    waiting: (pending, held) =>
      [pending && `${pending} waiting to be sent`, held && `${held} held`].filter(Boolean).join(", ") + ".",
    reasons: {
      gone: "It answered 410 Gone,", failing: "Every attempt failed for too long,", operator: "An owner disabled it,",
    },
    whatToDo: {
      gone:
        "Events are held. If the URL works again, choose Enable, then Recover. "
          + "If not, edit the URL or delete the webhook.",
      failing: "Events are held. See the answers below and fix the cause. Then choose Enable, Ping and Recover.",
      operator: "Events are held. Choose Enable for new events, then Recover for the held ones.",
    },
    waitsForHeld: "Events wait for an earlier one that is held. Recover sends the held events first. Skip drops them.",
    waitsForRetry: (time) => `Events wait for an earlier one that failed. The next attempt is at ${time}.`,
    skip: "Skip held events", skipText: "The held events are not sent. Later events are.",
    skipped: (count) =>
      (count === 0 ? "No event was held." : `${many(count, "held event was", "held events were")} dropped.`),
    hears: (types, apps) =>
      `${types?.map((type) => strings.webhooks.events[type] ?? type).join(", ") ?? "All events"} of ${
        apps?.join(", ") ?? "all apps"}.`,
    secretTitle: "Signing secret",
    secretText: "This secret signs all deliveries. You see it only once.",
    movedText: "Only this secret signs deliveries to the new address. You see it only once.",
    headerValue: (name) => `Value of ${name}`,
    headerValueHint: "Leave it empty to keep the stored value. If the URL has another host, enter the value again.",
    rotatedText: (time) =>
      `This secret and the previous one sign deliveries until ${time}. Later, only this one does. `
        + "You see it only once.",
    ping: "Ping", pinged: "Ping sent.",
    pingHeld: "The webhook is disabled, so the ping is held. Enable it, then ping again.",
    noPong: "The ping was not sent yet. The list will show its result.",
    pong: ({ status, durationMs, error }) => (
      status >= 200 && status < 300
        ? `The ping was answered: ${status} after ${durationMs} ms.`
        : `The ping failed: ${error ?? `${status} after ${durationMs} ms`}`
    ),
    enable: "Enable", disable: "Disable", isEnabled: "Webhook enabled.",
    isDisabled: "Webhook disabled. Events are held.", changed: "Webhook saved.",
    recover: "Recover", since: "Since",
    sinceHint: (zone) =>
      `Sends failed and held events since this time again. Your time zone is ${zone}. Leave it empty for all.`,
    recovered: (count) =>
      (count === 0 ? "Nothing to recover." : `${many(count, "delivery", "deliveries")} will be sent again.`),
    rotate: "Rotate secret", rotateText: "For 24 hours, deliveries carry both signatures.",
    remove: "Delete", removeTitle: "Delete webhook",
    removeText: (url) => `${url} gets no more events. Pending deliveries are dropped.`,
    removed: (url) => `${url} was deleted.`,
    deliveries: "Deliveries", noDeliveries: "Nothing sent yet.", noneInState: "No delivery has this state.",
    state: "State", everyState: "all",
    states: { pending: "pending", delivered: "delivered", exhausted: "failed", held: "held", cancelled: "cancelled" },
    last: (state) => `Last delivery: ${state}, `,
    resend: "Send again", resendNamed: (type, time) => `Send again: ${type}, ${time}`,
    resent: "The event is sent again.",
    attempts: (count) => many(count, "attempt", "attempts"), notTried: "Not tried yet.",
    answered: ({ status, durationMs, error }) => (
      status === null
        ? (error ?? "No answer.")
        : `${status} after ${durationMs} ms${/: /.test(error ?? "") ? `. ${error}` : ""}`
    ),
    answer: "Answer", sent: "Payload", showSent: "Show the payload",
    next: (time) => `Next attempt: ${time}.`,
  },
  tokens: {
    about: "Create a token for each person and program. The token in the service's configuration is not listed.",
    taken: "This name is in use, or was until recently. Choose another name.",
    limited: "Your token is limited. New tokens can only have its apps, and they expire when it does, or earlier.",
    add: "New token", create: "Create", name: "Name",
    nameHint: "The person or program. The history and the audit show it.",
    role: "Role",
    owner: "Belongs to",
    ownerHint:
      "For a program: the person or team behind it. Approvals by the program and its owner count as one. "
        + "Leave it empty to use the name. This can't be changed later.",
    ownedBy: (owner) => `of ${named(owner)}`,
    apps: "Apps", appsHint: "Leave all clear for every app, also future ones.", expires: "Expires",
    expiresHint: (zone) => `Your time zone is ${zone}. Leave it empty for no expiry.`,
    roles: {
      reader: "Reader: sees everything",
      editor: "Editor: also saves drafts and releases",
      publisher: "Publisher: also publishes",
      owner: "Owner: also manages apps, webhooks and tokens",
    },
    columns: ["Name", "Role", "Apps", "Created", "Expires", "Last used"], everyApp: "every app", never: "never",
    lately: "within the last hour,",
    mine: "yours", expired: "expired",
    empty: "No tokens yet. Create one for each person and program, with the lowest role that is enough.",
    revoke: "Revoke", revokeNamed: (name) => `Revoke ${name}`,
    revokeText: "The token stops working at once. Everyone who signed in with it is signed out.",
    revokeMine: "This is your own token. You are signed out at once.",
    revoked: (name) => `Token ${name} was revoked.`, secretTitle: (name) => `Token of ${name}`,
    secretText: "You see it only once. Send it over a private channel.",
  },
  nodes: {
    about: "The processes that share the database.",
    count: (count) =>
      `${many(count, "process is", "processes are")} running. `
        + "A process that is not seen for 20 seconds counts as stopped.",
    columns: ["Node", "Version", "Started", "Seen", "Clock", "Changes"],
    gone: "stopped",
    clockRight: (offset) => `correct (${offset > 0 ? "+" : ""}${offset} ms)`,
    clockOff: (offset) =>
      `${(Math.abs(offset) / 1000).toFixed(1)} s ${offset > 0 ? "behind" : "ahead of"} the database's`,
    behind: (count) => (count === 0 ? "up to date" : `${many(count, "change", "changes")} behind`),
  },
  about: {
    service: "This service", version: "Longpress", database: "Database",
    engines: { sqlite: "SQLite", postgres: "PostgreSQL" },
    migration: "Migration", migrationOf: ({ number, name }) => `${number}, ${name}`, migrations: "Migrations",
    migrationColumns: ["Number", "Name", "Applied"],
    session: "This session", signedInAs: "Signed in as", role: "Role", until: "Until", apps: "Apps",
    libraries: { sqlite: "SQLite library" },
    text: "The admin API can do everything that this console does.", openapi: "The API, as OpenAPI",
    keys: "Keyboard shortcuts",
  },
};
