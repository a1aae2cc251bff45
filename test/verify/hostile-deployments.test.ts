// Whether verify reports whatever a deployment sends, with all of its scenarios.
import { test } from 'vitest'
import { expectReport, hostile } from './support/hostile.ts'

test.for(hostile)('verify reports where a deployment sends %s', ([, wrap]) => expectReport(wrap))
