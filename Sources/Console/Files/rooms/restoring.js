/** Restoring a revision: both phones, and a button. */
import { restoreRevision } from "../api/apps.js";
import { noteOwn } from "../api/live.js";
import { releaseFor } from "../menus/shown.js";
import { announce } from "../page/announcements.js";
import { button } from "../page/controls.js";
import { openDialog } from "../page/dialog.js";
import { element } from "../page/element.js";
import { go } from "../page/router.js";
import { beforeAfter } from "../phone/before-after.js";
import { strings } from "../strings.js";
import { setName } from "./app-frame.js";

/**
 * Asks whether a revision should be restored, and opens the room of the revision that it becomes.
 * @param {App} app @param {Release[]} releases @param {Revision} revision the one to restore
 * @param {Revision | null} standing what is published in its place: nothing is restored over anything else
 */
export function askToRestore(app, releases, revision, standing) {
  const name = setName(revision.version, revision.audience);
  const restore = async () => {
    try {
      const made = (await restoreRevision(app.app, revision.revision, standing?.revision ?? null)).revision;
      noteOwn(app.app, made);
      opened.close();
      announce(strings.history.restored(revision.revision, made));
      go(["apps", app.app, "revisions", String(made)], { restored: revision.revision });
    } catch (error) {
      opened.fail(error);
    }
  };
  const opened = openDialog(strings.history.restoreTitle(revision.revision), {
    wide: true,
    content: [
      element("p", {}, strings.history.restoreText(revision.revision, name)),
      beforeAfter(app, releaseFor(revision.version, releases), [
        { words: strings.publish.before, set: standing?.set }, { words: strings.publish.after, set: revision.set },
      ]),
    ],
    actions: [button(strings.history.restore, null, { kind: "primary", type: "submit" })],
    submit: restore,
  });
}
