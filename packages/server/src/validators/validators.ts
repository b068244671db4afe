import type { ValidationType } from '@yarnboard/domain';
import type { ClaimArguments } from '@yarnboard/language';
import { codeStructure } from './code-structure.ts';
import { configValue } from './config-value.ts';
import { currentState } from './current-state.ts';
import { dependencyExists } from './dependency-exists.ts';
import { didIt } from './did-it.ts';
import { fileExists } from './file-exists.ts';
import type { ArgumentsOf, Validator } from './port.ts';
import { serviceStatus } from './processes.ts';
import { versionCheck } from './version-check.ts';

type AnyValidator = { readonly [T in ValidationType]: Validator<ArgumentsOf<T>> }[ValidationType];

/** VAL-1: one validator per type. */
const VALIDATORS: readonly AnyValidator[] = [
  serviceStatus,
  fileExists,
  configValue,
  dependencyExists,
  currentState,
  codeStructure,
  versionCheck,
  didIt,
];

/** The validator for this type of claim. */
export const validatorOf = (type: ValidationType): Validator<ClaimArguments> => {
  const found = VALIDATORS.find((one) => one.type === type);
  if (found === undefined) throw new Error(`there is no validator for ${type}`);
  return found as unknown as Validator<ClaimArguments>; // it has this type
};
