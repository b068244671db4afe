/** A text that takes time to read: Markdown, or code to highlight. */
export type Writing =
  { readonly kind: 'markdown'; readonly text: string } | { readonly kind: 'code'; readonly text: string; readonly language: string };

export const keyOf = (writing: Writing): string => `${writing.kind === 'markdown' ? '' : writing.language}\n${writing.text}`;
