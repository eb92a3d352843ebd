/**
 * Keeps the process alive while a promise is pending. The timers of an engine do not: a program that waits for nothing else would end in the
 * midst of its own `await`.
 */
export const keptAlive = (): (<A>(work: Promise<A>) => Promise<A>) => {
  let pending = 0
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    pending -= 1
    if (pending === 0) clearInterval(timer)
  }
  return (work) => {
    if (pending === 0) timer = setInterval(() => undefined, DAY_MS)
    pending += 1
    return work.finally(end)
  }
}

const DAY_MS = 86_400_000
