// Checks that verify completes its report with all scenarios, whatever a deployment sends.
import { test } from 'vitest'
import { expectReport, hostile } from './support/hostile.ts'

test.for(hostile)('verify reports where a deployment sends %s', ([, wrap]) => expectReport(wrap))
