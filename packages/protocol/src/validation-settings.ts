import * as z from 'zod';

/** A service declared by the operator: how to find it, and which addresses to query. */
export type DeclaredService = {
  readonly name: string;
  readonly unit: string | null;
  readonly port: number | null;
  /** Answers with 2xx when it is healthy. */
  readonly health: string | null;
  /** Answers in the text format of Prometheus. */
  readonly metrics: string | null;
};

/** A program declared by the operator, which says its version when it is run with these arguments. */
export type DeclaredProgram = { readonly name: string; readonly path: string; readonly args: readonly string[] };

/** VAL-15: what checks may look at. It can be set only here. */
export type ValidationSettings = {
  readonly roots: readonly string[];
  /** Whether the project folders of sessions are roots as well. */
  readonly areProjectsRoots: boolean;
  readonly services: readonly DeclaredService[];
  /** Anyone with access to the container runtime is root. */
  readonly mayAskContainers: boolean;
  readonly programs: readonly DeclaredProgram[];
};

export const NO_VALIDATION_SETTINGS: ValidationSettings = { roots: [], areProjectsRoots: false, services: [], mayAskContainers: false, programs: [] };

const address = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[\w.:[\]-]+(?:\/[^\s@]*)?$/u, 'must be an http or https address without credentials');
const name = z.string().regex(/^[A-Za-z0-9][\w.@-]{0,99}$/u);
const schema = z.strictObject({
  roots: z.array(z.string().min(1).max(4000)).max(100).default([]),
  session_projects: z.boolean().default(false),
  containers: z.boolean().default(false),
  services: z
    .array(
      z.strictObject({
        name,
        unit: name.optional(),
        port: z.number().int().min(1).max(65_535).optional(),
        health: address.optional(),
        metrics: address.optional(),
      }),
    )
    .max(100)
    .default([]),
  programs: z
    .array(
      z.strictObject({
        name,
        path: z
          .string()
          .max(4000)
          .regex(/^\/[^\p{Cc}]+$/u, 'must be an absolute path'),
        arguments: z
          .array(z.string().regex(/^-{0,2}[A-Za-z][\w-]{0,30}$/u, 'must be a plain word or option'))
          .max(5)
          .default(['--version']),
      }),
    )
    .max(100)
    .default([]),
});

/** Reads `validation` in the settings, or says what is wrong with it. */
export const readValidation = (
  given: unknown,
): { readonly ok: true; readonly value: ValidationSettings } | { readonly ok: false; readonly error: string } => {
  if (given === undefined) return { ok: true, value: NO_VALIDATION_SETTINGS };
  const read = schema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, error: `"validation"${issue === undefined ? '' : ` (${issue.path.join('.')}): ${issue.message}`}` };
  }
  const { roots, session_projects: areProjectsRoots, services, containers: mayAskContainers, programs } = read.data;
  return {
    ok: true,
    value: {
      roots,
      areProjectsRoots,
      mayAskContainers,
      services: services.map((one) => ({
        name: one.name,
        unit: one.unit ?? null,
        port: one.port ?? null,
        health: one.health ?? null,
        metrics: one.metrics ?? null,
      })),
      programs: programs.map((one) => ({ name: one.name, path: one.path, args: one.arguments })),
    },
  };
};
