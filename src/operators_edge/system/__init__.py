"""The only asker of the outside: processes, git, the file system's facts."""
