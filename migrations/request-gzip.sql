-- Requests gzip for the files that were published when there was only Brotli. The background worker makes it. As old as
-- the Brotli variants, so that those of new bundles are made before them.
INSERT INTO blob_variants (blob_id, encoding, created_at)
SELECT blob_id, 'gzip', created_at FROM blob_variants WHERE encoding = 'br' AND state <> 'useless'
ON CONFLICT DO NOTHING;
