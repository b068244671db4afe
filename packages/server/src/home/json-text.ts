export { jsonText } from '@yarnboard/transcript';
