import MarkdownIt from 'markdown-it';

/** Markdown to HTML for a document of its own. Raw HTML stays text, and images become words: an exported page loads nothing. */
export const createMarkdown = (): ((text: string) => string) => {
  const renderer = new MarkdownIt({ html: false, linkify: false, typographer: false });
  renderer.renderer.rules['image'] = (tokens, at) => {
    const token = tokens[at];
    return `[image: ${renderer.utils.escapeHtml(token?.content ?? '')}]`;
  };
  renderer.renderer.rules['link_open'] = (tokens, at, options, _, self) => {
    tokens[at]?.attrSet('rel', 'noreferrer noopener');
    return self.renderToken(tokens, at, options);
  };
  return (text) => renderer.render(text);
};
