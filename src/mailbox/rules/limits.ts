/** Every number of the mailbox. Characters are code points. Source: the mailbox's product text; DECISIONS B. */

/** "caps it at 64 characters": the name of an agent. */
export const NAME_CAP = 64;
/** "One line. Capped at 200 characters." */
export const SUBJECT_CAP = 200;
/** "Content is capped at 50,000 characters." */
export const CONTENT_CAP = 50_000;
/** "Capped at 8 KB": bytes of the metadata as JSON. */
export const METADATA_CAP_BYTES = 8_192;
/** "List views cap content at 1,000 characters per message." */
export const LISTED_CONTENT_CAP = 1_000;

export type Limit = { readonly byDefault: number; readonly most: number };
/** get_mailbox: "defaults to 20 and caps at 100". */
export const MAILBOX_LIMIT: Limit = { byDefault: 20, most: 100 };
/** get_messages: "defaults to 50 and caps at 200". */
export const THREAD_LIMIT: Limit = { byDefault: 50, most: 200 };
/** mark_message: "Send 1 to 100 messageIds". */
export const MARK_MOST = 100;

/** "An agent counts as active for 5 minutes after its last mailbox call", in ms. */
export const ACTIVE_MS = 5 * 60_000;
/** Sessions that agent_get shows, newest first. */
export const RECENT_SESSIONS = 10;

/** The text gives the labels no cap; these keep one line one line. */
export const DESCRIPTION_CAP = 500;
export const KIND_CAP = 64;
export const LABEL_CAP = 200;
export const SCAN_ID_CAP = 200;
