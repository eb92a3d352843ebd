import { resource } from '../../definition/resource.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { formerUsers } from '../../organization/former-users.ts'
import { users } from '../../organization/users.ts'
import { userLimits } from './user-limits.ts'
import { createUsers } from './create-users.ts'
import { createApiOnlyUsers } from './create-api-only-users.ts'
import { updateUser } from './update-user.ts'
import { updateUserEmail } from './update-user-email.ts'
import { updateUserName } from './update-user-name.ts'
import { updateUserPhoneNumber } from './update-user-phone-number.ts'
import { deleteUsers } from './delete-users.ts'
import { whoami } from './whoami.ts'
import { getUser } from './get-user.ts'
import { listUsers } from './list-users.ts'

export {
  createUsers,
  createApiOnlyUsers,
  updateUser,
  updateUserName,
  updateUserEmail,
  updateUserPhoneNumber,
  deleteUsers,
  whoami,
  getUser,
  listUsers,
}

export const userResource = resource({
  name: 'users',
  states: [users, formerUsers, deletedUsers],
  limits: userLimits,
  operations: [
    createUsers,
    createApiOnlyUsers,
    updateUser,
    updateUserName,
    updateUserEmail,
    updateUserPhoneNumber,
    deleteUsers,
  ],
  queries: [whoami, getUser, listUsers],
})
