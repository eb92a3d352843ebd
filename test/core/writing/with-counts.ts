import type { Storage } from '../../../core/ports/storage.ts'

/** Counts the calls of a storage, by name. */
export const withCounts = (inner: Storage) => {
  const calls: string[] = []
  const counting = <A extends object>(part: A): A =>
    new Proxy(part, {
      get: (target, name) => {
        const found = Reflect.get(target, name) as unknown
        if (typeof found !== 'function') return found
        return (...asked: readonly unknown[]): unknown => {
          calls.push(String(name))
          return Reflect.apply(found, target, asked) as unknown
        }
      },
    })
  return {
    storage: { store: counting(inner.store), readModels: counting(inner.readModels) },
    /** What was called since the last time. */
    calls: (): readonly string[] => calls.splice(0),
  }
}
