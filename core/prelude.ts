/** The few fp-ts names that the whole code base uses. fp-ts is imported here and in `either.ts`, and nowhere else. */
export * as E from './either.ts'
export * as O from 'fp-ts/lib/Option.js'
export * as TE from 'fp-ts/lib/TaskEither.js'
export * as RTE from 'fp-ts/lib/ReaderTaskEither.js'
export { flow, pipe } from 'fp-ts/lib/function.js'
