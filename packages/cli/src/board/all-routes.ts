import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';

export const routeOf = (name: OperationName): Pick<Operation, 'method' | 'path'> => REGISTRY[name];
