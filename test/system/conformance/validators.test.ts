import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureCodes } from '../../../core/failure-codes.ts'
import { E } from '../../../core/prelude.ts'
import { everyExample } from '../../core/resources/all-examples.ts'
import { fieldsOf } from '../../core/resources/execute.ts'
import { doorOf, json, parametersOf } from '../../core/resources/scene.ts'
import { right, world } from '../../core/world/world.ts'
import { specification } from './specification.ts'
import { withWrong, wrongs } from './validators.ts'

const it = suite("the rules of the definitions' members")

/** Where we take what a rule refuses: by the type or the family, the member and the rule. */
const TAKEN: { readonly [place: string]: string } = {}

it('refuse what breaks them, with the place, and nothing is stored', async () => {
  const spec = specification
  if (spec === undefined) return
  const w = await world()
  const door = doorOf(w, (await w.enrol('ada')).userId)
  const accepted: string[] = []
  let tried = 0
  for (const example of everyExample) {
    const { operation } = example
    for (const type of example.valid.keys()) {
      const entry = spec.activityTypes[type]
      if (entry === undefined) continue
      const parameters = json(await parametersOf(door, example, type))
      const head = right(await w.storage.store.head(w.organizationId)())
      for (const { path, rule, value } of wrongs(spec, entry.intent, parameters)) {
        const place = `${type} ${path.join('.')} ${rule}`
        if (Object.keys(TAKEN).some((one) => place.startsWith(one))) continue
        tried += 1
        const refused = await w.submit(w.root, operation.path, withWrong(parameters, path, value), { type })
        if (E.isRight(refused)) accepted.push(`${place}: ${JSON.stringify(value)} is taken`)
        else if (
          failureCodes[refused.left.code as 'INTERNAL'].grpc !== 3 ||
          !fieldsOf(refused.left).includes(path.join('.'))
        )
          accepted.push(`${place}: ${JSON.stringify(value)}: ${refused.left.code} at ${fieldsOf(refused.left).join()}`)
      }
      if (accepted.length === 0) assert.equal(right(await w.storage.store.head(w.organizationId)()), head, type)
    }
  }
  assert.ok(tried > 300, 'the definitions have many rules')
  assert.equal(accepted, [])
  await w.close()
})

it.run()
