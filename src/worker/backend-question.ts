/**
 * The work behind each question about a db that a worker can answer.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { DbHashJob, type DbHashOptions } from '../backend/db-hash.ts';
import { type UsageOptions, usageJob } from '../backend/du.ts';
import { HashKvJob, type HashKvOptions } from '../backend/hash-kv.ts';
import { leaseReportJob } from '../backend/lease-report.ts';
import { StatusJob } from '../backend/status.ts';
import { TrailerJob } from '../backend/trailer.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { Job } from '../io/job.ts';
import type { BackendRequest } from './messages.ts';

/** The job that answers a request about the db in `source`. Options come from the typed method that made the request. */
export function backendQuestion(source: ByteSource, { question, options }: BackendRequest): Job<unknown> {
  const file = new BackendFile(source);
  switch (question) {
    case 'status':
      return new StatusJob(file);
    case 'hashKv':
      return new HashKvJob(file, options as HashKvOptions);
    case 'hash':
      return new DbHashJob(file, options as DbHashOptions);
    case 'usage':
      return usageJob(file, options as UsageOptions);
    case 'leasesWithKeys':
      return leaseReportJob(file);
    case 'verifyTrailer':
      return new TrailerJob(source, file.db.highWaterMark * file.db.pageSize, createNodeSha256);
  }
}
