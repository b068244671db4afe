import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { complaintsOf, words } from '@yarnboard/protocol';
import * as z from 'zod';

type Wrap = Server['_wrapHandler'];

/** MCP-4: requests that aren't MCP are refused in our words. The library would quote its schemas. */
export class PlainServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    const handle = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await handle(request, context);
      } catch (cause) {
        throw plainly(cause, method, request);
      }
    };
  }
}

const plainly = (cause: unknown, method: string, request: unknown): unknown => {
  const issues = cause instanceof Error ? issuesIn(cause.message) : [];
  if (issues.length === 0) return cause;
  const said = words({ reason: 'bad-input', facts: { complaints: complaintsOf(issues, request) } }, 'mcp');
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${said}; see what MCP says of ${method}`);
};

/** The library's findings: it appends them to a message as JSON. */
const issuesIn = (message: string): readonly z.core.$ZodIssue[] => {
  const [json] = /\[\s*\{[^]*\}\s*\]$/u.exec(message) ?? [];
  if (json === undefined) return [];
  try {
    const read = issues.safeParse(JSON.parse(json));
    return read.success ? (read.data as readonly unknown[] as readonly z.core.$ZodIssue[]) : []; // the library is zod's
  } catch {
    return []; // a message that only looks like it is passed on as it is
  }
};

const issues = z.array(z.looseObject({ code: z.string(), path: z.array(z.union([z.string(), z.number()])), message: z.string() }));
