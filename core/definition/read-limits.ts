import type { ReadLimits } from '../log/decision.ts'
import type { Limits } from './limits.ts'

/** Limits that record which of them are read: an event names the limits that it depends on, default or not. */
export type NotedLimits = {
  readonly limits: Limits
  /** The limits that were read so far, in the order of their names; `undefined` if none was read. */
  readonly read: () => ReadLimits | undefined
}

/** @param all  the limits in force: names and values */
export const notedLimits = (all: Limits): NotedLimits => {
  let names: Set<string> | undefined // most operations read none
  const note = (name: string | symbol): void => {
    if (typeof name === 'string' && Object.hasOwn(all, name)) (names ??= new Set()).add(name)
  }
  return {
    limits: new Proxy(all, {
      get: (target, name): unknown => {
        note(name)
        return Reflect.get(target, name)
      },
      getOwnPropertyDescriptor: (target, name) => {
        note(name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
      set: () => false,
    }),
    read: () =>
      names === undefined ? undefined : Object.fromEntries([...names].toSorted().map((name) => [name, all[name] ?? 0])), // its own names
  }
}
