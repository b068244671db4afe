import { downloadFrom } from '../citations/media-file.ts';

/** Downloads a text as a file. Its MIME type is one that no browser would open. */
export const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  downloadFrom(name, url);
  // Some browsers read it a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_BY);
};

const TAKEN_BY = 60_000;
