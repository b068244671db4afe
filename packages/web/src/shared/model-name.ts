import { printableLine } from '@yarnboard/transcript';

/** "claude-opus-5-5-20260101" is called Opus 5.5. */
export const modelName = (model: string): string => {
  const [, family, version = ''] = /^claude-([a-z]+)-(\d+(?:-\d{1,2})?)(?:-\d{6,})?(?:\[.*\])?$/u.exec(model) ?? [];
  if (family !== undefined) return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.replace('-', '.')}`;
  return model === '<synthetic>' ? 'No model' : printableLine(model);
};
