import * as z from 'zod';
import type { Operation } from '../operation.ts';
import { cursor, limit, reveal, sessionId } from '../parameters.ts';
import { changedFiles, editPage, sessionGit } from '../wire/changes.ts';
import { contextAnswer } from '../wire/context.ts';
import { outlineAnswer } from '../wire/outline.ts';

const lines = z.coerce.number().int().min(1).max(2000).default(200).describe('how many lines of each diff, at most 2,000');
const path = z.string().min(1).max(4096);

/** What sessions changed in files, how full their context was, and their prompts. */
export const CHANGE_OPERATIONS = {
  context: {
    name: 'context',
    method: 'GET',
    path: '/sessions/{id}/context',
    who: 'anyone',
    help: 'How full the context window was at each response of a session, what filled it, and compactions.',
    input: z.object({
      id: sessionId,
      thread: z.string().min(1).max(4096).default('main').describe('main, or the agent_id of a sidechain'),
      through: z.string().min(1).max(4096).optional().describe('MSG-n or uuid of a record of the branch; the active branch unless given'),
      points: z.coerce.number().int().min(10).max(2000).default(200).describe('about how many responses to list, at most 2,000'),
    }),
    output: contextAnswer,
    terminal: { words: ['session', 'context'], given: ['id'] },
  },
  outline: {
    name: 'outline',
    method: 'GET',
    path: '/sessions/{id}/outline',
    who: 'anyone',
    help: 'The prompts and compactions of a session in order, and its task list as it stands.',
    input: z.object({
      id: sessionId,
      thread: z.string().min(1).max(4096).default('main').describe('main, or the agent_id of a sidechain'),
      through: z.string().min(1).max(4096).optional().describe('MSG-n or uuid of a record of the branch; the active branch unless given'),
      limit,
      cursor,
    }),
    output: outlineAnswer,
    terminal: { words: ['session', 'outline'], given: ['id'] },
  },
  changed_files: {
    name: 'changed_files',
    method: 'GET',
    path: '/sessions/{id}/files',
    who: 'anyone',
    help: 'The files that a session changed, latest first, with edits and lines added and removed.',
    input: z.object({ id: sessionId, limit, cursor }),
    output: changedFiles,
    terminal: { words: ['session', 'files'], given: ['id'] },
  },
  session_git: {
    name: 'session_git',
    method: 'GET',
    path: '/sessions/{id}/git',
    who: 'anyone',
    help: 'Branches, commits and pull requests of a session, as reported by its shell commands.',
    input: z.object({ id: sessionId }),
    output: sessionGit,
    terminal: { words: ['session', 'git'], given: ['id'] },
  },
  changes: {
    name: 'changes',
    method: 'GET',
    path: '/sessions/{id}/changes',
    who: 'anyone',
    help: 'What a session changed: every edit of a file by its main thread and sub-agents, in order, as a diff.',
    input: z.object({
      id: sessionId,
      file: path.optional().describe('only this file: its path, or the end of it'),
      thread: z.string().min(1).max(4096).default('all').describe('all, main, or the agent_id of a sidechain'),
      edit: z.string().min(1).max(4096).optional().describe('only this edit: MSG-n#i or its uuid'),
      lines,
      lines_from: z.coerce.number().int().min(0).default(0).describe('how many lines of each diff to skip'),
      limit: limit.default(20),
      cursor,
      reveal,
    }),
    output: editPage,
    terminal: { words: ['session', 'changes'], given: ['id', 'file'] },
  },
  file_history: {
    name: 'file_history',
    method: 'GET',
    path: '/files/history',
    who: 'anyone',
    help: 'Every edit of a file in all sessions on the log, latest first, as a diff.',
    input: z.object({
      path: path.describe('the path of a file, or the end of it'),
      lines,
      lines_from: z.coerce.number().int().min(0).default(0).describe('how many lines of each diff to skip'),
      limit: limit.default(20),
      cursor,
      reveal,
    }),
    output: editPage,
    terminal: { words: ['session', 'history'], given: ['path'] },
  },
} as const satisfies Record<string, Operation>;
