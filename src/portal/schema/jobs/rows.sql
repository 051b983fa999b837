INSERT INTO jobs.version(version) VALUES ('24');
