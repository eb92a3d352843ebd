import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quiet, until } from '../../core/world/under-way.ts'
import { RESUME_AFTER_MS } from '../../core/command/notice.ts'
import { testClock } from '../../core/world/world.ts'
import { answersTo, lively, logOf } from './citizens.ts'
import { never } from './host.ts'
import { openTown, sites } from './town.ts'
import { addTwin } from './twins.ts'
import { idsIn } from './words.ts'

const it = suite('two organizations whose things have the same ids')

const names = new Map([['of amber', 'of basal']])

for (const [name, made] of Object.entries(sites)) {
  it(`are each answered with their own: ${name}`, async () => {
    const site = await made()
    const first = await openTown(site)
    const amber = await lively(first, 'amber')
    const ids = idsIn(await logOf(first, amber.known.organizationId))
    const twinId = await addTwin(first.store.store, amber.known.organizationId, names)
    const twin = { ...amber, known: { ...amber.known, organizationId: twinId } }
    for (const [asking, own, other] of [
      [amber, 'of amber', 'of basal'],
      [twin, 'of basal', 'of amber'],
      [amber, 'of amber', 'of basal'],
    ] as const) {
      const answers = await answersTo(first, asking, ids)
      assert.match(answers, `notice ${own}`)
      assert.not.match(answers, other)
    }
    await first.close()
    await site.remove()
  })

  it(`have each their own effects taken up, until each has ended: ${name}`, async () => {
    const site = await made()
    const [asked, clock]: [string[], ReturnType<typeof testClock>] = [[], testClock()]
    const first = await openTown(site, clock)
    const amber = await lively(first, 'amber')
    await addTwin(first.store.store, amber.known.organizationId, names)
    await first.close()

    // Both run at once, under the same id, and only one of them ends.
    const second = await openTown(site, clock, (text) => {
      asked.push(text)
      return text === 'notice of amber' ? { receipt: text } : never
    })
    for (let n = 0; n < 10; n += 1) await quiet() // both wait for the time of their next attempt
    clock.pass(RESUME_AFTER_MS)
    await until(() => asked.length === 2)
    assert.equal(asked.toSorted(), ['notice of amber', 'notice of basal'])
    await until(async () => (await logOf(second, amber.known.organizationId)).includes('"receipt":"notice of amber"'))
    await second.close()

    const third = await openTown(site, clock, (text) => {
      asked.push(text)
      return { receipt: text }
    })
    clock.pass(RESUME_AFTER_MS)
    await until(() => asked.length === 3)
    assert.is(asked[2], 'notice of basal')
    await third.close()
    await site.remove()
  })
}

it.run()
