/** Where the browser keeps the editor's link pattern; `{path}` and `{line}` are filled in. */
export const EDITOR_KEY = 'yarnboard.editor';

const VS_CODE = 'vscode://file{path}';

/** A link that opens a file in the editor; null unless the path is absolute and the scheme is harmless to the page. */
export const editorLink = (path: string, pattern: string | null, line = 1): string | null => {
  const isWindows = /^[a-z]:[/\\]/iu.test(path);
  if (!path.startsWith('/') && !isWindows) return null;
  const form = pattern === null || pattern.trim() === '' ? VS_CODE : pattern.trim();
  if (!/^[a-z][a-z0-9+.-]*:/iu.test(form) || /^(?:javascript|data|vbscript|blob|file|https?):/iu.test(form)) return null;
  const slashed = path.replaceAll('\\', '/');
  const encoded = (isWindows ? `/${slashed}` : slashed)
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^\/([a-z])%3A/iu, '/$1:');
  return form.includes('{path}') ? form.replaceAll('{path}', encoded).replaceAll('{line}', String(line)) : `${form}${encoded}`;
};
