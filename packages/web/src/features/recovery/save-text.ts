import { downloadFrom } from '../citations/media-file.ts';

/** Hands a text to whoever asked for it as a file. Its type is nothing that a browser would open. */
export const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  downloadFrom(name, url);
  // Some browsers take it a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_BY);
};

const TAKEN_BY = 60_000;
