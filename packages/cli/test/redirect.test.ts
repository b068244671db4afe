import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { redirectTo } from '../src/io.ts';

test('[SEC-21] a link is handed over in a file that only its owner may read, and that leads on to it', () => {
  const url = 'http://127.0.0.1:4747/#key=</script>"';
  const file = redirectTo(url);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  const [, script = ''] = /location\.replace\((.*)\)<\/script>\s*$/su.exec(readFileSync(file, 'utf8')) ?? [];
  expect(JSON.parse(script)).toBe(url);
  expect(script).not.toContain('</script>');
});
