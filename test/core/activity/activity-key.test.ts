import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { activityKey } from '../../../core/activity/activity-key.ts'

const it = suite('an activity as a key')

const name = fc.oneof(fc.uuid(), fc.string(), fc.constantFrom('', '"', '","', 'a","b', '\n', '__proto__', '\u00e9'))

it('is a list of both names in JSON, as it stands in stores', () => {
  fc.assert(
    fc.property(name, name, (organizationId, activityId) =>
      assert.is(activityKey({ organizationId, activityId }), JSON.stringify([organizationId, activityId])),
    ),
  )
})

it.run()
