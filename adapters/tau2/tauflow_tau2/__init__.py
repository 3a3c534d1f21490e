"""The tau2 package as an environment service of Tauflow."""
