import MarkdownIt from 'markdown-it';

// Raw HTML stays text, and images become links: an exported page loads nothing.
const renderer = new MarkdownIt({ html: false, linkify: false, typographer: false });
renderer.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at];
  return `[image: ${renderer.utils.escapeHtml(token?.content ?? '')}]`;
};
renderer.renderer.rules['link_open'] = (tokens, at, options, _, self) => {
  tokens[at]?.attrSet('rel', 'noreferrer noopener');
  return self.renderToken(tokens, at, options);
};

export const markdownToHtml = (text: string): string => renderer.render(text);
