import { eraseUser } from '../../../../core/resources/erasure/erase-user.ts'
import { listPersonalPlaces } from '../../../../core/resources/erasure/list-personal-places.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { asking, example, NOBODY } from '../example.ts'

const OF_ERASURE = 'it says what was erased, and nothing of it'

export const examples = [
  example(eraseUser, {
    valid: async ({ asked, made }) => {
      const [userId = ''] = (await made(deleteUsers)).userIds
      return { userId, requests: 'MADE', head: { ...(await asked(listPersonalPlaces, { userId })).head } }
    },
    refused: [{ userId: NOBODY }, 'REQUEST_INVALID'],
  }),
  asking(
    listPersonalPlaces,
    ({ user: userId }) => ({ request: { userId, requests: 'MADE' }, shows: { places: [{}], next: null } }),
    { refused: [{ userId: 'ada' }, 'REQUEST_INVALID'] },
  ),
]

export const texts = { requests: OF_ERASURE, sequences: OF_ERASURE }
