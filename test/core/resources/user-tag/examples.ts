import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { deleteUserTags } from '../../../../core/resources/user-tag/delete-user-tags.ts'
import { listUserTags } from '../../../../core/resources/user-tag/list-user-tags.ts'
import { updateUserTag } from '../../../../core/resources/user-tag/update-user-tag.ts'
import { asking, example, NOBODY, ORGANIZATION } from '../example.ts'

export const examples = [
  example(createUserTag, {
    valid: ({ text, user }) => ({ userTagName: text('userTagName'), userIds: [user] }),
    refused: [{ userTagName: '', userIds: [] }, 'REQUEST_INVALID'],
  }),
  example(updateUserTag, {
    valid: async ({ made, root, text, user }) => ({
      userTagId: (await made(createUserTag)).userTagId,
      newUserTagName: text('newUserTagName'),
      addUserIds: [root],
      removeUserIds: [user],
    }),
    refused: [{ userTagId: NOBODY, addUserIds: [], removeUserIds: [] }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteUserTags, {
    valid: async ({ made }) => ({ userTagIds: [(await made(createUserTag)).userTagId] }),
    refused: [{ userTagIds: [NOBODY] }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(listUserTags, async ({ made }) => ({
    request: {},
    shows: { userTags: [{ tagId: (await made(createUserTag)).userTagId }] },
  })),
]

export const texts = { userTagName: ORGANIZATION }
