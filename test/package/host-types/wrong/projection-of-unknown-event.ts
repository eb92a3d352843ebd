// The message names 'ActivityFinished'.
import { projection } from 'countersign'
import { events } from 'countersign/define'

export const names = projection({ name: 'names', version: 1, on: [events(['ActivityFinished'], () => [])] })
