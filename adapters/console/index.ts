export { consoleFiles, type ConsoleOptions } from './console-files.ts'
export type { StaticFile } from '../http/options.ts'
