"""What is learned before a bundle is built, or from an operator's click log. Nothing here runs on the stream.

- Term weights that come with the package (`querymix knowledge teach`): `examples.py` has example queries and terms with
  their categories and texts without, `encoder.py` two sentence encoders, `teacher.py` learns categories from the
  embeddings, `student.py` weights of terms from the teachers; `term_weights.py` puts them together. No log takes part.
- An operator's own bundle (`querymix knowledge learn`): `operator_facts.py` and `clicks.py`.
- Lists for the grammar of the paper's classifier, with spaCy (`reference_tagger.py`): `tag_log_odds.py`,
  `query_texts.py`, `function_words.py`.

Source: Hinton, Vinyals, Dean 2015, "Distilling the Knowledge in a Neural Network"; Reimers and Gurevych 2019,
"Sentence-BERT"; Rahimi and Recht 2007, "Random Features for Large-Scale Kernel Machines".
"""
