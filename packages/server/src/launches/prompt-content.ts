import type { Json } from '@yarnboard/transcript';

/** An image attached to a prompt, in base64. */
export type PromptImage = { readonly mediaType: string; readonly data: string };

/** What a person says to a run. */
export type PromptWords = { readonly text: string; readonly images?: readonly PromptImage[] };

/** RUN-41: the form that Claude Code writes: text without images stays a plain string. */
export const contentOf = ({ text, images = [] }: PromptWords): Json =>
  images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map(({ mediaType, data }) => ({ type: 'image', source: { type: 'base64', media_type: mediaType, data } }))];
