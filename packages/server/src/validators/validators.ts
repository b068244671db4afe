import type { ValidationType } from '@yarnboard/domain';
import type { ClaimArguments } from '@yarnboard/language';
import { codeStructure } from './code-structure.ts';
import { configValue } from './config-value.ts';
import { currentState } from './current-state.ts';
import { dependencyExists } from './dependency-exists.ts';
import { fileExists } from './file-exists.ts';
import type { Method, Validator } from './port.ts';
import { serviceStatus } from './service-status.ts';
import { versionCheck } from './version-check.ts';

type Table = { readonly [T in ValidationType]: Validator<Extract<ClaimArguments, { readonly type: T }>> };

/** VAL-1: one validator for each type, with everything it tries. */
export const VALIDATORS: Table = {
  service_status: serviceStatus,
  file_exists: fileExists,
  config_value: configValue,
  dependency_exists: dependencyExists,
  current_state: currentState,
  code_structure: codeStructure,
  version_check: versionCheck,
};

/** The methods for whoever has arguments of any type. */
export const methodsFor = (type: ValidationType): readonly Method<ClaimArguments>[] => VALIDATORS[type].methods as readonly Method<never>[] as readonly Method<ClaimArguments>[]; // those of its own type
