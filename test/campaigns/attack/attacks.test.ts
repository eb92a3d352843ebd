import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Attack } from './attack.ts'
import { attacks } from './attacks.ts'
import { runAttack, type Outcome } from './campaign.ts'
import { stand } from './stand.ts'

const it = suite('attacks')

it('have a name of their own, a sentence, and the answers that are documented', () => {
  assert.is(new Set(attacks.map(({ name }) => name)).size, attacks.length)
  for (const { name, says, answers } of attacks) {
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.match(says, /^[A-Z0-9].*\.$/, name)
    assert.ok(answers.length > 0, name)
    assert.equal(
      answers.filter((status) => status >= 500),
      [],
      `${name}: a mistake of the server is no documented answer`,
    )
  }
})

it('end as documented against a real server, beside an honest caller', async () => {
  const chosen = named('strangers', 'old-stamps-as-queries')
  for (const { attack, fired, honest, ended, errors, peakRssBytes } of await outcomes(chosen)) {
    assert.is(ended, undefined)
    assert.equal(errors, [])
    assert.ok(peakRssBytes > 0)
    assert.ok(fired.bytesSent > 0, attack.name)
    assert.equal([...honest.keys()], [200], attack.name)
    for (const status of fired.statuses.keys()) assert.ok([...attack.answers, 429, 503].includes(status), attack.name)
  }
})

it('are found out where the server answers otherwise', async () => {
  const wrong = named('strangers').map((attack) => ({ ...attack, answers: [400] }))
  const [outcome] = await outcomes(wrong)
  assert.ok(outcome?.faults.includes('the attackers were answered 401'))
})

const named = (...names: readonly string[]): readonly Attack[] => attacks.filter(({ name }) => names.includes(name))

const outcomes = async (chosen: readonly Attack[]): Promise<readonly Outcome[]> => {
  const field = await stand(chosen)
  try {
    const all: Outcome[] = []
    for (const attack of chosen) all.push(await runAttack(field, attack, 4))
    return all
  } finally {
    await field.close()
  }
}

it.run()
