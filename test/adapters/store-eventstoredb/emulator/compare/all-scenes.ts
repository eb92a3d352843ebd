import { FOLLOWING_SCENES } from './following-scenes.ts'
import { ODD_SCENES } from './odd-scenes.ts'
import { randomScene } from './random-scene.ts'
import { PLAIN_SCENES, type Scene } from './scenes.ts'

export const SCENES: Readonly<Record<string, Scene>> = {
  ...PLAIN_SCENES,
  ...ODD_SCENES,
  ...FOLLOWING_SCENES,
  'random-1': randomScene(1),
  'random-2': randomScene(2),
}
