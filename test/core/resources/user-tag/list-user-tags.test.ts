import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { listUserTags } from '../../../../core/resources/user-tag/list-user-tags.ts'
import { anyOrganization, uuid } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('list user tags')

const at = { seconds: '1700000000', nanos: '0' }

it('lists no tags as an empty list', async () =>
  assert.equal(await answer(listUserTags, anyOrganization().state), { userTags: [] }))

it('shows each tag', async () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [] })
  assert.equal(await answer(listUserTags, tried.state), {
    userTags: [{ tagId: uuid(5), tagName: 'signers', tagType: 'TAG_TYPE_USER', createdAt: at, updatedAt: at }],
  })
})

it.run()
