import { expect, test } from 'vitest';
import { NO_VALIDATION_SETTINGS, readValidation } from '../src/index.ts';

test('[VAL-15] what checks may look at is in the settings; without any it is nothing, and what is wrong is named by its place', () => {
  expect(readValidation(undefined)).toEqual({ ok: true, value: NO_VALIDATION_SETTINGS });
  const service = { name: 'redis', unit: 'redis-server', port: 6379, health: 'http://127.0.0.1:8080/healthz' };
  const programs = [
    { name: 'weaver', path: '/opt/weaver/bin/weaver', arguments: ['version'] },
    { name: 'loom', path: '/opt/loom' },
  ];
  expect(readValidation({ roots: ['/srv/app'], session_projects: true, containers: true, services: [service], programs })).toEqual({
    ok: true,
    value: {
      roots: ['/srv/app'],
      areProjectsRoots: true,
      mayAskContainers: true,
      services: [{ ...service, metrics: null }],
      programs: [
        { name: 'weaver', path: '/opt/weaver/bin/weaver', args: ['version'] },
        { name: 'loom', path: '/opt/loom', args: ['--version'] },
      ],
    },
  });
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ roots: 'x' }, 'roots'],
    [{ rots: [] }, 'rots'],
    [{ services: [{ name: '-rf' }] }, 'services.0.name'],
    [{ services: [{ name: 'a', port: 70_000 }] }, 'services.0.port'],
    [{ services: [{ name: 'a', health: 'file:///etc/passwd' }] }, 'services.0.health'],
    [{ services: [{ name: 'a', metrics: 'http://me:pw@host/' }] }, 'services.0.metrics'],
    [{ programs: [{ name: 'a', path: 'bin/a' }] }, 'programs.0.path'],
    [{ programs: [{ name: 'a', path: '/bin/a\n' }] }, 'programs.0.path'],
    [{ programs: [{ name: 'a', path: '/bin/a', arguments: ['-c', '$(x)'] }] }, 'programs.0.arguments.1'],
    [{ roots: Array.from({ length: 101 }, () => '/x') }, 'roots'],
    ['x', ''],
  ];
  for (const [given, place] of wrong) {
    const read = readValidation(given);
    expect([given, read.ok, read.ok ? '' : read.error]).toEqual([given, false, expect.stringContaining(place)]);
  }
});
