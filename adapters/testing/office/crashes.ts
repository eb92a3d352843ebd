import { memoryStore } from '../../store-memory/index.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { openOffice, type Office, type OfficeOptions } from './office.ts'
import { quiet } from './under-way.ts'

/**
 * Lets the process die between any two steps of a story: before and after each append to the log. After each death a new engine opens the
 * same store, and the story is told again from its beginning, as callers do who got no answer. The story has to make the same calls in
 * the same order each time; then its requests are the same, and meet what they made before. Where the story waits, time passes: an effect
 * that was interrupted gets its next attempt.
 *
 * @param story  submits, votes, turns the clock
 * @param check  looks at how it ended; its office has lived through a death
 * @returns how many deaths there were
 * @throws an `Error` that names the step, if the story, the check or the audit of the log fails after a death
 */
export const atEveryCrash = async (
  options: () => OfficeOptions,
  story: (office: Office) => Promise<void>,
  check: (office: Office) => Promise<void> = async () => undefined,
): Promise<number> => {
  let deaths = 0
  for (let append = 1; ; append += 1) {
    for (const step of ['before', 'after'] as const) {
      const storage = memoryStore()
      const mortal = dyingAt(storage, append, step)
      const settings = options()
      const hasDied = await tellUntilDeath({ ...settings, store: mortal.storage }, story, mortal.died)
      if (!hasDied) return deaths
      deaths += 1
      try {
        const { office: again, pass } = await openOffice({ ...settings, store: storage })
        await whileTimePasses(pass, story(again))
        await whileTimePasses(pass, check(again))
        const { findings } = await again.audit()
        await again.close()
        if (findings.length > 0) throw new Error(`the audit finds: ${findings[0]?.message}`)
      } catch (cause) {
        throw new Error(
          `after a death ${step} append ${append}: ${cause instanceof Error ? cause.message : String(cause)}`,
          {
            cause,
          },
        )
      }
    }
  }
}

/** @returns whether the process has died; if not, the story has ended */
const tellUntilDeath = async (
  options: OfficeOptions,
  story: (office: Office) => Promise<void>,
  died: Promise<'died'>,
): Promise<boolean> => {
  let abandon = (): void => undefined
  const telling = (async () => {
    const opened = await openOffice(options)
    abandon = opened.abandon
    await whileTimePasses(opened.pass, Promise.race([story(opened.office), died.then(() => undefined)]))
    return opened.office
  })()
  const ending = await Promise.race([telling, died])
  if (ending === 'died') {
    abandon()
    return true
  }
  await ending.close()
  return false
}

const PASSES_MS = 5_000
const EVERY_MS = 20

/**
 * Lets time pass whenever the work waits, because nobody else turns the clock. That it waits is known from `quiet`, which
 * does not end it, however slow the machine is; the pause is for what a service does outside of this process.
 */
const whileTimePasses = async (pass: (byMs: number) => Promise<void>, work: Promise<void>): Promise<void> => {
  const over = work.then(() => true)
  const turned = async (): Promise<false> => {
    await pause(EVERY_MS)
    await quiet()
    return false
  }
  while (!(await Promise.race([over, turned()]))) await pass(PASSES_MS)
}

/** A store that never answers any more from a certain append on, as if the process that uses it had died. */
const dyingAt = (
  { store, readModels }: Storage,
  append: number,
  step: 'before' | 'after',
): { readonly storage: Storage; readonly died: Promise<'died'> } => {
  let appends = 0
  let isDead = false
  let die = (): void => undefined
  const died = new Promise<'died'>((resolve) => {
    die = () => {
      isDead = true
      resolve('died')
    }
  })
  const forEver = (): Promise<never> => new Promise<never>(() => undefined)
  const whileAlive = <A>(work: () => Promise<A>): Promise<A> => (isDead ? forEver() : work())
  return {
    died,
    storage: {
      store: {
        ...store,
        append: (commits) => async () => {
          appends += 1
          if (isDead) return forEver()
          if (appends < append) return whileAlive(store.append(commits))
          if (step === 'after') await store.append(commits)()
          die()
          return forEver()
        },
      },
      readModels: {
        ...readModels,
        move:
          (...moved) =>
          () =>
            whileAlive(readModels.move(...moved)),
        saveSnapshot:
          (...saved) =>
          () =>
            whileAlive(readModels.saveSnapshot(...saved)),
      },
    },
  }
}
