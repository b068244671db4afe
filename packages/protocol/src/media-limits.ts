/** Limits of a file attached to a sidebar. */
export const MOST_MEDIA_BYTES = 24 * 1024 * 1024;

/** Up to this size, its bytes may travel in a command or an answer, as base64; larger files are uploaded and downloaded separately. */
export const MOST_INLINE_BYTES = 675_000;

/** What may go with a prompt. */
export const PROMPT_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** The largest frame that a server takes from a client; a larger one ends the connection. */
export const MOST_FRAME_BYTES = 1024 * 1024;
