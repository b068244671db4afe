import { REGISTRY } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { filesIn, type SourceText } from './source-files.ts';

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//gu, '').replaceAll(/(?<=^|\s)\/\/.*$/gmu, '');

const found = (files: readonly SourceText[], pattern: RegExp): readonly string[] =>
  files.flatMap(({ path, text }) => [...withoutComments(text).matchAll(pattern)].map(([whole]) => `${path}: ${whole}`));

const DOMAIN = filesIn('packages/domain/src', /\.ts$/u);
const SERVER = filesIn('packages/server/src', /\.ts$/u);

test('[WORDS-8] neither the domain, the server nor the terminal writes a route into a sentence', () => {
  const files = [...DOMAIN, ...SERVER, ...filesIn('packages/cli/src', /\.ts$/u)];
  expect(files.length).toBeGreaterThan(100);
  expect(found(files, /(?:GET|POST) \/[\w{$]+/gu)).toEqual([]);
});

test('[WORDS-8] the domain names no operation', () => {
  const names = Object.keys(REGISTRY).filter((name) => name.includes('_'));
  expect(names.length).toBeGreaterThan(20);
  expect(found(DOMAIN, new RegExp(`\\b(?:${names.join('|')})\\b`, 'gu'))).toEqual([]);
});

test('[WORDS-8] a refusal that is a plain sentence names no operation and no input', () => {
  const sentences = found(SERVER, /new Refused\(\s*'[\w-]+',\s*(?:'[^'\n]*'|`[^`\n]*`)/gu);
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter((sentence) => /[a-z]_[a-z]/u.test(sentence.slice(sentence.indexOf('new Refused'))))).toEqual([]);
});
