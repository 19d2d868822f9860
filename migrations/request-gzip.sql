-- Requests gzip for the files that were published when there was only Brotli. The background worker makes it.
INSERT INTO blob_variants (blob_id, encoding)
SELECT blob_id, 'gzip' FROM blob_variants WHERE encoding = 'br' AND state <> 'useless'
ON CONFLICT DO NOTHING;
